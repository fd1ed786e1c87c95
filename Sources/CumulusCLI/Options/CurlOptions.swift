// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusPrimitives

/// The options for curl that correspond to this command line, apart from the request itself.
struct CurlOptions {
    private let options: Arguments
    private let plan: Plan
    private let readFile: FileReader

    init(_ options: Arguments, of plan: Plan, readFile: FileReader) {
        self.options = options
        self.plan = plan
        self.readFile = readFile
    }

    /// The options as words, without quoting.
    var words: [String] {
        var words = redirects + version + trust + places + times + others
        if case .digest(let user, let password) = plan.identity {
            let shown = plan.output.showsSecrets ? password?.revealed ?? "" : "<redacted>"
            words += ["--digest", "-u", "\(user):\(shown)"]
        }
        if plan.isChunked { words += ["-H", "Transfer-Encoding: chunked"] }
        if let file = plan.output.file { words += ["-o", file] }
        return words
    }

    /// The options without an equivalent in curl, which the command leaves out.
    static func missing(_ options: Arguments) -> [String] {
        options.given.filter { $0.option.curl == .missing && $0.value != .flag(false) }.map { argument in
            "--curl omits --\(argument.option.name): curl has no equivalent"
        }
    }

    /// The options that curl has under a name of its own, with the same value.
    private var others: [String] {
        options.given.flatMap { argument -> [String] in
            guard case .option(let name) = argument.option.curl, argument.option.commands.contains(options.command)
            else { return [] }
            switch argument.value {
            case .flag(let isOn): return isOn ? [name] : []
            case .text(let text): return [name, text]
            case .number(let number): return number > 0 ? [name, OptionRow.text(seconds: number)] : []
            case .integer(let number): return number > 0 ? [name, "\(number)"] : []
            case .count, .list: return []
            }
        }
    }

    private var redirects: [String] {
        guard plan.maximumRedirects > 0 else { return [] }
        return ["-L"] + (options.maxRedirects.map { ["--max-redirs", "\($0)"] } ?? [])
    }

    private var version: [String] {
        switch plan.httpVersion {
        case .http1: ["--http1.1"]
        case .http2: [plan.target.origin.scheme == .https ? "--http2" : "--http2-prior-knowledge"]
        default: []
        }
    }

    private var trust: [String] {
        let identity = plan.route.tls.identities[plan.target.origin]
        var words: [String] = []
        switch plan.verification {
        case .none: words.append("-k")
        case .authority: if let file = options.verify, isFile(file) { words += ["--cacert", readFile.expanded(file)] }
        case .system, .environment: break
        }
        if let version = options.tlsMin { words.append("--tlsv\(version)") }
        if let file = options.cert {
            // A colon would separate the file's name from its passphrase.
            words += ["--cert", CurlOptions.escaped(readFile.expanded(file), ":")]
            if let identity, PKCS12File(identity) != nil { words += ["--cert-type", "P12"] }
        }
        if let file = options.certKey { words += ["--key", readFile.expanded(file)] }
        if let passphrase = identity?.passphrase {
            words += ["--pass", plan.output.showsSecrets ? passphrase.revealed : "<redacted>"]
        }
        let pins = plan.route.tls.pins["*"] ?? []
        if !pins.isEmpty {
            let texts = pins.map { "sha256//\($0.description.utf8.dropFirst("sha256/".utf8.count).text)" }
            words += ["--pinnedpubkey", texts.sorted().joined(separator: ";")]
        }
        return words
    }

    private func isFile(_ word: String) -> Bool { !["yes", "true"].contains(word.lowercased()) }

    private var places: [String] {
        var words: [String] = []
        for (host, addresses) in plan.route.addresses.sorted(by: { $0.key < $1.key }) {
            let list = addresses.map { $0.has(anyOf: ":") ? "[\($0)]" : $0 }.joined(separator: ",")
            let own = plan.target.origin
            let ports = host == own.host ? ["\(own.port)"] : ["80", "443"]
            // An entry with a port applies to that port only.
            for place in host.has(anyOf: ":") ? [host] : ports.map({ "\(host):\($0)" }) {
                words += ["--resolve", "\(place):\(list)"]
            }
        }
        // An empty --proxy means none, regardless of the environment.
        if options.proxy?.isEmpty == true { words += ["--noproxy", "*"] }
        return words
    }

    private var times: [String] {
        guard let limit = options.timeout, limit > 0 else { return [] }
        return [
            "--connect-timeout", OptionRow.text(seconds: limit), "--speed-limit", "1", "--speed-time",
            "\(Int(limit.rounded(.up)))",
        ]
    }

    /// A text with backslashes before certain ASCII characters.
    static func escaped(_ text: String, _ scalars: Unicode.Scalar...) -> String {
        let special = scalars.map { UInt8(ascii: $0) }
        let bytes = text.utf8.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CurlAdditions {
    /// Creates options from the form of a plan, which curl encodes itself.
    init(_ plan: Plan) {
        self.init()
        options = plan.curlOptions
        guard case .multipart(let parts, let boundary) = plan.body else { return }
        form = parts.flatMap { CurlAdditions.words(for: $0, showsSecrets: plan.output.showsSecrets) }
        if boundary != nil { note = "  # curl generates its own boundary" }
    }

    private static func words(for part: FormPart, showsSecrets: Bool) -> [String] {
        switch part.content {
        case .text(let text):
            return ["--form-string", "\(part.name)=\(showsSecrets ? text : secretless(text, of: part.name, nil))"]
        case .typed(let text, let type):
            let shown = showsSecrets ? text : secretless(text, of: part.name, type)
            return ["-F", "\(part.name)=\(quote(shown));type=\(type)"]
        case .file(let file), .input(_, let file):
            let name = file.fileName ?? PathName.last(of: file.path)
            let type = file.type ?? MediaType.ofFile(name) ?? MediaType.ofFile(file.path) ?? .bytes
            let named = file.fileName.map { ";filename=\(quote($0))" } ?? ""
            return ["-F", "\(part.name)=@\(quote(file.path));type=\(type)\(named)"]
        }
    }

    /// A part's text, judged by its name and by what it contains.
    private static func secretless(_ text: String, of name: String, _ type: MediaType?) -> String {
        if SecretRedaction.isSecret(name) { return "<redacted>" }
        guard let type else { return SecretRedaction.fieldText(text) }
        return SecretRedaction.body(ByteChunk(text), of: type).map { String(decoding: $0, as: UTF8.self) }
            ?? "<redacted>"
    }

    /// A name in quotes, in which curl only interprets quotes and backslashes.
    private static func quote(_ name: String) -> String {
        "\"\(CurlOptions.escaped(name, "\\", "\""))\""
    }
}
