// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The command that resumes an interrupted download or upload: the same command with `-c`.
///
/// Credentials are not repeated: a password is left out, so that the command asks for it; a token, and the value
/// of a secret header or query item, become `...`. The command is written from its parsed form, so that no spelling of
/// an option can reveal a secret.
struct ContinuationCommand {
    private static let hidden = "..."

    /// The command, quoted for a shell.
    let text: String

    /// - Parameters:
    ///   - command: The original command.
    ///   - named: The user and password from the URL, as parsed.
    init(_ command: DownloadCommand, user named: Credentials?) {
        var options: [(String, String?)] = [
            ("-o", command.output), ("-x", command.connections.map(String.init)),
            ("--checksum", command.checksum), ("-i", command.list),
            ("--parallel", command.parallel.map(String.init)), ("--limit-rate", command.rates.limitRate),
            ("--minimum-rate", command.rates.minimumRate), ("--rate", command.rates.rate),
            ("--cookies", command.session.cookies), ("--cache", command.session.cache),
            ("--har", command.session.har),
            ("--session", command.session.session), ("--session-read-only", command.session.sessionReadOnly),
        ]
        options += ContinuationCommand.options(of: command.connection)
        var hasUser = false
        options.append(("--base", command.base.map { ContinuationCommand.harmless(url: $0, &hasUser) }))
        var words = command.words.enumerated().map { index, word in
            let isURL = command.list == nil && (index == 0 || URLShorthand.isAnotherURL(word))
            return isURL ? ContinuationCommand.harmless(url: word, &hasUser) : ContinuationCommand.harmless(item: word)
        }
        if words.contains(where: { $0.utf8.starts(with: "-".utf8) }) { words.insert("--", at: 0) }
        let user = hasUser ? ContinuationCommand.harmless(user: named) : nil
        options += ContinuationCommand.identity(command.authorization, inURL: user)
        let flags =
            [("--remote-time", command.remoteTime), ("--overwrite", command.overwrite)]
            + ContinuationCommand.flags(command.connection, command.authorization)
        let start = ["cumulus", "download", "-c"] + [String](repeating: "-q", count: command.quiet)
        text = ContinuationCommand.line(start + flags.filter(\.1).map(\.0), options, words)
    }

    /// - Parameters:
    ///   - command: The original command.
    ///   - named: The user and password from the URL, as parsed.
    init(_ command: UploadCommand, user named: Credentials?) {
        var options: [(String, String?)] = [
            ("--endpoint", command.pieces.endpoint), ("--limit-rate", command.rates.limitRate),
            ("--minimum-rate", command.rates.minimumRate), ("--rate", command.rates.rate),
            ("--cookies", command.session.cookies), ("--session", command.session.session),
            ("--session-read-only", command.session.sessionReadOnly),
        ]
        options += ContinuationCommand.options(of: command.connection)
        var hasUser = false
        options.append(("--base", command.base.map { ContinuationCommand.harmless(url: $0, &hasUser) }))
        var words = command.words.enumerated().map { index, word in
            switch index {
            case 0: word
            case 1: ContinuationCommand.harmless(url: word, &hasUser)
            default: ContinuationCommand.harmless(item: word)
            }
        }
        if words.contains(where: { $0.utf8.starts(with: "-".utf8) }) { words.insert("--", at: 0) }
        let user = hasUser ? ContinuationCommand.harmless(user: named) : nil
        options += ContinuationCommand.identity(command.authorization, inURL: user)
        let flags =
            [("--tus", command.pieces.tus)]
            + ContinuationCommand.flags(command.connection, command.authorization)
        text = ContinuationCommand.line(["cumulus", "upload", "-c"] + flags.filter(\.1).map(\.0), options, words)
    }

    private static func flags(
        _ connection: ConnectionOptions,
        _ authorization: AuthorizationOptions
    ) -> [(String, Bool)] {
        [
            ("-4", connection.ipv4), ("-6", connection.ipv6), ("--no-follow", connection.noFollow),
            ("--public-only", connection.publicOnly), ("--explain", connection.explain),
            ("--show-secrets", authorization.showSecrets), ("--netrc", authorization.netrcUse == .netrc),
            ("--ignore-netrc", authorization.netrcUse == .ignoreNetrc),
        ]
    }

    /// The command, quoted for a shell.
    private static func line(_ start: [String], _ options: [(String, String?)], _ words: [String]) -> String {
        var all = start
        for case (let option, let value?) in options {
            // Joined, so that a value that begins with a dash is not read as an option.
            let isOption = value.utf8.starts(with: "-".utf8)
            all += !isOption ? [option, value] : option.utf8.count == 2 ? [option + value] : ["\(option)=\(value)"]
        }
        return (all + words).map { ShellWord($0).description }.joined(separator: " ")
    }

    private static func options(of connection: ConnectionOptions) -> [(String, String?)] {
        var options: [(String, String?)] = [
            ("--timeout", connection.timeout.map(number)), ("--max-time", connection.maxTime.map(number)),
            ("--max-redirects", connection.maxRedirects.map(String.init)), ("--verify", connection.verify),
            ("--cert", connection.cert), ("--cert-key", connection.certKey),
            ("--retry", connection.retry.map(String.init)),
            ("--retry-max-time", connection.retryMaxTime.map(number)),
            ("--tls-min", connection.tlsMin), ("--unix-socket", connection.unixSocket),
            ("--http-version", connection.httpVersion),
        ]
        options += proxy(of: connection)
        options += connection.allowAddress.map { ("--allow-address", $0) }
        options += connection.pin.map { ("--pin", $0) } + connection.resolve.map { ("--resolve", $0) }
        return options
    }

    /// The proxy without its credentials, except for the name and a reference to the password.
    private static func proxy(of connection: ConnectionOptions) -> [(String, String?)] {
        let proxy = connection.proxy.flatMap { $0.isEmpty ? nil : try? Proxy($0) }
        var user = connection.proxyUser
        if let (name, word) = user?.split(at: ":") { user = "\(name):\(harmless(secret: word))" }
        if user == nil, let named = proxy?.credentials { user = "\(named.user):\(hidden)" }
        return [
            ("--proxy", proxy?.description ?? connection.proxy.map { $0.isEmpty ? "" : hidden }),
            ("--noproxy", connection.noproxy), ("--proxy-user", user),
        ]
    }

    private static func number(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    }

    private static func identity(_ options: AuthorizationOptions, inURL user: String?) -> [(String, String?)] {
        guard let text = options.auth else {
            // Keys and tokens that are stored elsewhere need no other words than before.
            return [("-A", options.authType), ("-a", user)]
        }
        let shown: String
        switch options.authType.flatMap({ AuthorizationKind(named: $0) }) ?? .basic {
        case .oauth2: return [("-A", options.authType)]
        case .bearer: shown = harmless(secret: text)
        case .apikey: shown = harmless(key: text)
        case .basic, .digest:
            guard let (user, word) = text.split(at: ":") else { return [("-A", options.authType), ("-a", text)] }
            shown = SecretWord.isElsewhere(word) ? text : user
        case .aws4: shown = text.split(at: ":").map { "\($0.before):\(harmless(secret: $0.behind))" } ?? hidden
        }
        return [("-A", options.authType), ("-a", shown)]
    }

    /// A reference to a secret that is stored elsewhere is repeated.
    private static func harmless(secret word: String) -> String { SecretWord.isElsewhere(word) ? word : hidden }

    /// An API key as its field's or query item's name only.
    private static func harmless(key text: String) -> String {
        if SecretWord.isElsewhere(text) { return text }
        if let (name, rest) = text.split(at: "="), rest.utf8.first == UInt8(ascii: "="), !name.has(anyOf: ":") {
            return "\(name)==\(harmless(secret: rest.utf8.dropFirst().text))"
        }
        guard let (name, word) = text.split(at: ":") else { return hidden }
        return "\(name):\(harmless(secret: word))"
    }

    /// A URL without its user, which is given separately, and without its query's secrets.
    private static func harmless(url: String, _ hasUser: inout Bool) -> String {
        let shown = SecretRedaction.target(url, mark: hidden)
        let scheme = URLShorthand.hasScheme(url) ? shown.utf8.prefix { $0 != UInt8(ascii: ":") }.count + 3 : 0
        let start = shown.utf8.index(shown.startIndex, offsetBy: scheme)
        let authority = shown.utf8[start...].prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return shown }
        hasUser = true
        return shown[..<start] + shown.utf8[shown.utf8.index(after: at)...].text
    }

    /// A user without a password may be a token.
    private static func harmless(user: Credentials?) -> String {
        user.map { $0.password.revealed.isEmpty || $0.user.has(anyOf: ":") ? hidden : $0.user } ?? hidden
    }

    private static func harmless(item word: String) -> String {
        guard let item = try? RequestItem(parsing: word), item.kind.isLiteral, !item.value.isEmpty else { return word }
        var value = item.value
        // A backslash in the name may belong to it, or divide it from a separator.
        if SecretRedaction.isSecret(item.name)
            || SecretRedaction.isSecret(
                String(decoding: item.name.utf8.filter { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
            )
        {
            value = hidden
        } else if item.kind == .header {
            value = SecretRedaction.value(value, of: item.name)
        }
        return value == item.value ? word : RequestItem(kind: item.kind, name: item.name, value: value).argument
    }
}
