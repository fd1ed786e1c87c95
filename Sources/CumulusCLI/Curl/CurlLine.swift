// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A parser that converts the words of a curl command into arguments of `cumulus`.
struct CurlLine {
    private static let form = "application/x-www-form-urlencoded"

    private var rest: ArraySlice<String>
    private var request = Arguments(.request)
    private var url: String?
    private var method: String?
    private var headers: [RequestItem] = []
    private var user: String?
    private var bearer: String?
    private var isDigest = false
    private var parts: [RequestItem] = []
    /// The data of all options.
    private var data: String?
    /// The file of `--data-binary` or `--json`.
    private var file: String?
    /// The file of `-T`.
    private var upload: String?
    private var agent: String?
    private var referer: String?
    private var cookies: [String] = []
    private var dataType: String?
    private var isQuery = false
    private var isHead = false
    private var follows = false
    private var isLiteralURL = false

    private init(_ words: [String]) { rest = words[...] }

    /// The arguments of the same request.
    ///
    /// - Parameter words: The words after `curl`.
    /// - Returns: The arguments.
    /// - Throws: ``UsageMistake`` for an option that is unknown or not supported.
    static func arguments(of words: [String]) throws(UsageMistake) -> Arguments {
        var line = CurlLine(words)
        while let word = line.rest.popFirst() { try line.take(word) }
        return try line.arguments()
    }

    // MARK: Reading

    private mutating func take(_ word: String) throws(UsageMistake) {
        guard word.begins(with: "-"), word != "-" else { return try setURL(word) }
        if word.begins(with: "--") || word == "-:" {
            guard let option = CurlOption(word) else { throw CurlLine.unknown(word) }
            return try take(option, word, option.takesValue ? rest.popFirst() : "")
        }
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = CurlOption("-\(letter)") else { throw CurlLine.unknown("-\(letter)") }
            guard option.takesValue else {
                try take(option, "-\(letter)", "")
                continue
            }
            let joined = String(String.UnicodeScalarView(letters))
            return try take(option, "-\(letter)", joined.isEmpty ? rest.popFirst() : joined)
        }
    }

    private mutating func setURL(_ word: String) throws(UsageMistake) {
        if url != nil {
            throw UsageMistake(
                "the curl command has a second URL, or text with spaces that isn't quoted",
                hint: "a value with spaces needs quotes inside the curl command"
            )
        }
        url = word
    }

    private mutating func take(_ option: CurlOption, _ name: String, _ value: String?) throws(UsageMistake) {
        if let remedy = option.refusal {
            throw UsageMistake("cumulus curl does not support curl's \(quoted(name))", hint: remedy)
        }
        guard let value else { throw UsageMistake("the curl command has no value for \(quoted(name))") }
        switch option {
        case .method: method = try CurlLine.method(value)
        case .header: try addHeader(value)
        case .data, .dataRaw, .dataBinary, .dataURLEncoded, .json: try addData(value, option, name)
        case .get: isQuery = true
        case .form, .formString: try addPart(value, isText: option == .formString)
        case .upload:
            if value == "-" { throw UsageMistake("cumulus curl does not send standard input", hint: "write -T FILE") }
            if value.isEmpty { throw UsageMistake("the curl command has an empty file name for \(quoted(name))") }
            if upload != nil { throw UsageMistake("the curl command has a second file for \(quoted(name))") }
            upload = value
        case .user: user = value
        case .bearer: bearer = value
        case .digest: isDigest = true
        case .basic: isDigest = false
        case .netrc: request.netrc = true
        case .agent: agent = value
        case .referer: referer = value
        case .cookie where value.isEmpty: break
        case .cookie:
            guard value.has(anyOf: "=") else {
                throw UsageMistake(
                    "cumulus curl does not read the cookie file for \(quoted(name))",
                    hint: "write cumulus --cookies FILE URL"
                )
            }
            cookies.append(value)
        case .url: try setURL(value)
        default: try takeSetting(option, name, value)
        }
    }

    /// Takes an option for the connection or the output that has a direct equivalent.
    private mutating func takeSetting(
        _ option: CurlOption,
        _ name: String,
        _ value: String
    ) throws(UsageMistake) {
        switch option {
        case .insecure: request.verify = "no"
        case .location: follows = true
        case .compressed: request.compressed = true
        case .head: isHead = true
        case .globOff: isLiteralURL = true
        case .include: request.print = "hb"
        case .verbose: request.verbose = 1
        case .proxy: request.proxy = value
        case .maxTime: try put(OptionTable.all.maxTime, value)
        case .maxRedirects: try put(OptionTable.all.maxRedirects, value)
        case .retry: try put(OptionTable.all.retry, value)
        case .http1: request.httpVersion = "1.1"
        case .http2Directly: request.httpVersion = "2"
        case .tls12: request.tlsMin = "1.2"
        case .tls13: request.tlsMin = "1.3"
        case .tlsMax: try put(OptionTable.all.tlsMax, value)
        case .ciphers: request.ciphers = value
        case .cert:
            if value.has(anyOf: ":") {
                throw UsageMistake(
                    "cumulus curl does not support a certificate's password",
                    hint: "write \(name) FILE --pass PASSPHRASE"
                )
            }
            request.cert = value
        // The content of the file decides which of them it is.
        case .certType where ["PEM", "P12"].contains(value.uppercased()): break
        case .certType:
            throw UsageMistake(
                "cumulus curl does not support \(name) \(quoted(value))",
                hint: "write \(name) PEM or \(name) P12"
            )
        case .key: request.certKey = value
        // In curl's option, it is always the passphrase itself.
        case .passphrase: request.certPass = "\\\(value)"
        case .authority: request.verify = value
        case .resolve: request.resolve += [value]
        case .unixSocket: request.unixSocket = value
        case .ipv4: request.ipv4 = true
        case .ipv6: request.ipv6 = true
        // HTTP/2 is used by default if the server supports it.
        default: break
        }
    }

    private mutating func put(_ option: OptionRow, _ value: String) throws(UsageMistake) {
        request.put(option, try option.value(value))
    }

    private mutating func addHeader(_ text: String) throws(UsageMistake) {
        if text.isEmpty { return }
        if text.begins(with: "@") {
            throw UsageMistake("cumulus curl does not read headers from a file", hint: "write -H 'Name: value'")
        }
        if let (name, value) = text.split(at: ":") {
            headers.append(RequestItem(kind: .header, name: name, value: String(value.trimmed)))
        } else if text.utf8.last == UInt8(ascii: ";") {
            headers.append(RequestItem(kind: .emptyHeader, name: text.utf8.dropLast().text, value: ""))
        } else {
            throw UsageMistake("the curl command has a header without a colon")
        }
    }

    private mutating func addData(_ value: String, _ option: CurlOption, _ name: String) throws(UsageMistake) {
        dataType = option == .json ? "application/json" : dataType ?? CurlLine.form
        let isFile = value.begins(with: "@") && option != .dataRaw
        if option == .dataURLEncoded {
            addData(try CurlLine.encoded(value), mark: "&")
        } else if !isFile {
            // The texts of several `--json` are one document.
            addData(value, mark: option == .json ? "" : "&")
        } else if option == .dataBinary || option == .json, data == nil, file == nil, value != "@-" {
            file = value.utf8.dropFirst().text
        } else {
            throw UsageMistake(
                "cumulus curl can't read the data for \(quoted(name)) from a file",
                hint: "--data-binary @FILE sends a file unchanged"
            )
        }
    }

    private mutating func addData(_ text: String, mark: String) { data = data.map { $0 + mark + text } ?? text }

    private mutating func addPart(_ value: String, isText: Bool) throws(UsageMistake) {
        guard let (name, content) = value.split(at: "="), !name.isEmpty else {
            throw UsageMistake("the curl command has a form field that is not NAME=VALUE")
        }
        if isText {
            parts.append(RequestItem(kind: .text, name: name, value: content))
        } else {
            parts.append(try CurlFormField(name, content).item)
        }
    }

    // MARK: The request

    private func arguments() throws(UsageMistake) -> Arguments {
        guard let given = self.url else {
            throw UsageMistake("the curl command has no URL", hint: "write cumulus curl 'curl URL ...'")
        }
        try refuseContradictions()
        var url = try CurlURL(isLiteralURL ? given : CurlURL.unescaped(given))
        var request = self.request
        try authorize(&request)
        if !follows, request.maxRedirects == nil { request.noFollow = true }
        // The curl command never reads standard input, which may belong to a script.
        request.ignoreStdin = true
        request.anyMethod = true
        var items = allHeaders(&request)
        if isQuery {
            if let data { url.add(query: data) }
        } else if !parts.isEmpty {
            request.multipart = true
            items += parts
        } else if let upload {
            url.add(fileName: upload)
            items.append(RequestItem(kind: .upload, name: "", value: upload))
        } else if let file {
            if data != nil { throw UsageMistake("the curl command has both a file and other data as its body") }
            items.append(RequestItem(kind: .upload, name: "", value: file))
        } else if let data {
            request.raw = data
        }
        // Neither adds anything to a request of curl.
        if !request.netrc { request.ignoreNetrc = true }
        request.noConfig = true
        let hasBody = !isQuery && (dataType != nil || !parts.isEmpty)
        let usual = upload != nil ? "PUT" : isHead ? "HEAD" : hasBody ? "POST" : "GET"
        request.words = [method ?? usual, url.text] + items.map(CurlLine.word)
        return request
    }

    /// Refuses options that curl refuses together, and data of which only a part would be sent.
    private func refuseContradictions() throws(UsageMistake) {
        var bodies: [String] = []
        if dataType != nil { bodies.append("-d") }
        if !parts.isEmpty { bodies.append("-F") }
        if upload != nil { bodies.append("-T") }
        if bodies.count > 1 {
            throw UsageMistake("the curl command has two bodies, from \(UsageMistake.list(bodies, joinedBy: "and"))")
        }
        guard let body = bodies.first else { return }
        if isQuery, body != "-d" || file != nil {
            throw UsageMistake("the curl command uses '-G', but its file or form can't be sent in a query")
        }
        if isHead, !isQuery { throw UsageMistake("the curl command combines '-I' with a body (\(body))") }
    }

    /// The fields of `-H`, and those of other options that `-H` doesn't replace.
    private func allHeaders(_ request: inout Arguments) -> [RequestItem] {
        var items = headers
        if request.compressed {
            // A browser lists codings that it decodes; `--compressed` sends those that `cumulus` decodes.
            items.removeAll {
                $0.name.lowercased() == "accept-encoding" && ($0.value.has("br") || $0.value.has("zstd"))
            }
            if items.contains(where: { $0.name.lowercased() == "accept-encoding" }) { request.compressed = false }
        }
        var others: [(String, String)] = []
        if let agent { others.append(("User-Agent", agent)) }
        if let referer { others.append(("Referer", referer)) }
        if !cookies.isEmpty { others.append(("Cookie", cookies.joined(separator: ";"))) }
        // With `-G`, only `--json` sets a type.
        if let dataType, !isQuery || dataType != CurlLine.form { others.append(("Content-Type", dataType)) }
        if dataType == "application/json" { others.append(("Accept", "application/json")) }
        for (name, value) in others where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            items.append(RequestItem(kind: .header, name: name, value: value))
        }
        return items
    }

    /// The method of `-X`; `nil` if it is empty.
    private static func method(_ text: String) throws(UsageMistake) -> String? {
        if text.isEmpty { return nil }
        // `cumulus` sends methods in capitals.
        guard MethodName.isWord(text), text == text.uppercased() else {
            throw UsageMistake(
                "cumulus curl does not support the method \(quoted(text))",
                hint: "a method may contain only capital letters, A to Z"
            )
        }
        return text
    }

    /// Adds the credentials; as in curl, a token replaces a user.
    private func authorize(_ request: inout Arguments) throws(UsageMistake) {
        if let bearer {
            if isDigest { throw UsageMistake("the curl command combines '--oauth2-bearer' with '--digest'") }
            (request.authType, request.auth) = ("bearer", CurlLine.literal(bearer))
        } else {
            if isDigest { request.authType = "digest" }
            if let user { request.auth = CurlLine.literal(user: user) }
        }
    }

    /// An item as an argument, escaped only if necessary.
    private static func word(_ item: RequestItem) -> String {
        let plain = "\(item.name)\(item.kind.rawValue)\(item.value)"
        let parsed = try? RequestItem(parsing: plain)
        return parsed == item ? plain : item.argument
    }

    /// A secret, escaped so that it isn't read as a reference to a variable or a file.
    private static func literal(_ secret: String) -> String {
        let first = secret.utf8.first
        return SecretWord.isElsewhere(secret) || first == UInt8(ascii: "\\") ? "\\\(secret)" : secret
    }

    private static func literal(user text: String) -> String {
        text.split(at: ":").map { "\($0.before):\(literal($0.behind))" } ?? text
    }

    /// A value of `--data-urlencode`: `name=content`, `=content` or `content`.
    private static func encoded(_ value: String) throws(UsageMistake) -> String {
        let parts = value.split(at: "=")
        let (name, content) = parts.map { ($0.before, $0.behind) } ?? ("", value)
        if (parts == nil ? content : name).has(anyOf: "@") {
            throw UsageMistake("cumulus curl can't read the data for '--data-urlencode' from a file")
        }
        return (name.isEmpty ? "" : "\(name)=") + PercentEncoding.encode(content)
    }

    private static func unknown(_ name: String) -> UsageMistake {
        // The text after the name may be a secret.
        UsageMistake(
            "cumulus curl does not support curl's option \(quoted(ArgumentParser.bare(name)))",
            hint: "cumulus help curl lists the supported options"
        )
    }
}
