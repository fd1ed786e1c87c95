// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A request as a curl command line, safe to paste into a shell.
struct CurlCommand: CustomStringConvertible {
    /// The longest argument that every system accepts; longer bodies are piped.
    private static let argumentLimit = 100_000

    /// The parts of the command line for the body.
    private struct Body {
        /// The command that pipes data into curl.
        var pipe = ""
        var arguments: [String] = []
        /// The method that curl chooses by default.
        var method = "GET"
        var note = ""
        /// Whether curl would add its own content type.
        var isData: Bool { method == "POST" }
    }

    private let request: EncodedRequest
    private let revealsSecrets: Bool
    private let bodyLimit: Int
    private let proxy: Proxy?
    private let additions: CurlAdditions

    init(
        _ request: EncodedRequest,
        by proxy: Proxy? = nil,
        includingSecrets: Bool,
        bodyLimit: Int,
        adding additions: CurlAdditions = CurlAdditions()
    ) {
        self.request = request
        self.proxy = proxy
        self.additions = additions
        revealsSecrets = includingSecrets
        self.bodyLimit = bodyLimit
    }

    var description: String {
        let body = body
        let url = revealsSecrets ? "\(request.url)" : request.url.redactingSecrets(hiding: request.hides)
        var words = ["curl"] + additions.options.map { "\(ShellWord($0))" }
        // Otherwise curl interprets brackets as patterns, and removes dot segments.
        if url.utf8.contains(where: CurlCommand.isPattern) { words.append("-g") }
        if request.target.has("/.") { words.append("--path-as-is") }
        // The field below still lists the codings; this option makes curl decode them.
        if asksForCodings { words.append("--compressed") }
        let method = request.method.rawValue
        if method == "HEAD", body.arguments.isEmpty {
            words.append("-I")
        } else if method != body.method {
            words += ["-X", "\(ShellWord(method))"]
        }
        words += proxyWords
        words.append("\(ShellWord(url))")
        for field in fields(body) { words += ["-H", "\(ShellWord(field))"] }
        return body.pipe + (words + body.arguments).joined(separator: " ") + body.note
    }

    /// The proxy, which must look up names like ours does.
    private var proxyWords: [String] {
        guard let proxy else { return [] }
        let scheme = proxy.scheme == .socks5 ? "socks5h" : proxy.scheme.rawValue
        let url = "\(scheme)\(Substring(proxy.description.utf8.dropFirst(proxy.scheme.rawValue.utf8.count)))"
        var words = ["--proxy", "\(ShellWord(url))"]
        if let user = proxy.credentials {
            // The user as well: for some services it is the token.
            let text = revealsSecrets ? "\(user.user):\(user.password.revealed)" : "<redacted>"
            words += ["--proxy-user", "\(ShellWord(text))"]
        }
        return words
    }

    /// Whether curl may support all requested codings.
    private var asksForCodings: Bool {
        let names = ContentCoding.names(in: request.headers[values: .acceptEncoding])
        return names.count > 1 && names.allSatisfy { ["gzip", "deflate", "br", "zstd"].contains($0) }
    }

    /// The header fields, and those that curl must not add.
    private func fields(_ body: Body) -> [String] {
        // For a form, curl sets the content type itself, with its own boundary.
        let sent = additions.form == nil ? Array(request.headers) : request.headers.filter { $0.name != .contentType }
        var fields = sent.map { field in
            let name = field.name.rawName
            if field.value.isEmpty { return "\(name);" }
            return "\(name): \(revealsSecrets ? field.value : shown(field.value, of: name))"
        }
        if request.headers[.userAgent] == nil { fields.append("User-Agent:") }
        if request.headers[.accept] == nil { fields.append("Accept:") }
        if body.isData, additions.form == nil, request.headers[.contentType] == nil { fields.append("Content-Type:") }
        return fields
    }

    private func shown(_ value: String, of name: String) -> String {
        // The scheme isn't shown, since programs could mistake the placeholder for credentials.
        Redaction.isSecret(name) || request.hides(name)
            ? "<redacted>" : SecretRedaction.value(value, of: name, hiding: request.hides)
    }

    private static func isPattern(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }

    private var body: Body {
        if let form = additions.form {
            return Body(arguments: form.map { "\(ShellWord($0))" }, method: "POST", note: additions.note)
        }
        switch request.body {
        case .none:
            // With these methods, a missing body is declared (RFC 9110 section 8.6).
            guard [.post, .put, .patch].contains(request.method) else { return Body() }
            return Body(arguments: ["--data-binary", "''"], method: "POST")
        case .bytes(let chunk):
            if !revealsSecrets, request.headers.isCoded {
                let note = "  # the body is compressed, so secrets in it can't be hidden: pipe it in"
                return Body(arguments: ["--data-binary", "@-"], method: "POST", note: note)
            }
            let type = request.headers[.contentType].flatMap { MediaType(parsing: $0) }
            return shown(chunk, of: type).map(data) ?? omitted(chunk, of: type)
        case .file(let file): return data(of: file)
        case .stream:
            return Body(arguments: ["-T", "-"], method: "PUT", note: "  # the body is a stream: pipe it in")
        }
    }

    /// The bytes of a body that may be shown; `nil` if it is too long, or its secrets can't be recognized.
    private func shown(_ chunk: ByteChunk, of type: MediaType?) -> [UInt8]? {
        if !revealsSecrets { return SecretRedaction.body(chunk, of: type, limit: bodyLimit) }
        return chunk.count <= bodyLimit ? chunk.bytes : nil
    }

    private func omitted(_ chunk: ByteChunk, of type: MediaType?) -> Body {
        let facts = "\(type.map { "\($0.essence), " } ?? "")\(chunk.count) bytes"
        let note = "  # the body (\(facts)) is not shown: pipe it in"
        return Body(arguments: ["--data-binary", "@-"], method: "POST", note: note)
    }

    private func data(_ bytes: [UInt8]) -> Body {
        if bytes.contains(0) || bytes.count > CurlCommand.argumentLimit {
            return Body(
                pipe: "printf %b \(ShellWord(bytes).printfArgument) | ",
                arguments: ["--data-binary", "@-"],
                method: "POST"
            )
        }
        // With the other option, a leading @ means a file.
        let option = bytes.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary"
        return Body(arguments: [option, "\(ShellWord(bytes))"], method: "POST")
    }

    private func data(of file: FileBody) -> Body {
        let path = file.path.begins(with: "-") ? "./\(file.path)" : file.path
        var facts = stat()
        let isWhole = file.offset == 0 && (stat(file.path, &facts) != 0 || Int64(facts.st_size) == file.length)
        if isWhole {
            return Body(arguments: ["--data-binary", "\(ShellWord("@\(path)"))"], method: "POST")
        }
        let (first, overflow) = file.offset.addingReportingOverflow(1)
        return Body(
            pipe: "tail -c +\(overflow ? file.offset : first) \(ShellWord(path)) | head -c \(file.length) | ",
            arguments: ["--data-binary", "@-"],
            method: "POST"
        )
    }
}
