// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The command that resumes an interrupted download or upload: the same command with `-c`; or starts it again.
///
/// Credentials are not repeated: a password is left out, so that the command asks for it; a token, and the value
/// of a secret header or query item, become `...`. The command is written from its parsed form, so that no spelling of
/// an option can reveal a secret.
struct ContinuationCommand {
    private static let hidden = "..."

    /// The command, quoted for a shell.
    let text: String

    /// Writes the command: the options of the command line that the table says are repeated.
    ///
    /// - Parameters:
    ///   - arguments: The original arguments.
    ///   - named: The user and password from the URL, as parsed.
    ///   - resumes: Whether it resumes.
    init(_ arguments: Arguments, user named: Credentials?, resumes: Bool = true) {
        var hasUser = false
        var options: [String] = []
        for argument in arguments.given where argument.source == .user && argument.option.isRepeated {
            options += ContinuationCommand.words(of: argument, in: arguments, &hasUser)
        }
        var words = arguments.words.enumerated().map { index, word -> String in
            // The first word of an upload is the file.
            let isUpload = arguments.command == .upload
            if isUpload, index == 0 { return word }
            let isURL =
                isUpload ? index == 1 : arguments.list == nil && (index == 0 || URLShorthand.isAnotherURL(word))
            return isURL ? ContinuationCommand.harmless(url: word, &hasUser) : ContinuationCommand.harmless(item: word)
        }
        if words.contains(where: { $0.utf8.starts(with: "-".utf8) }) { words.insert("--", at: 0) }
        if hasUser, arguments.auth == nil { options += ["-a", ContinuationCommand.harmless(user: named)] }
        let all = ["cumulus", arguments.command.rawValue] + (resumes ? ["-c"] : []) + options + words
        text = all.map { ShellWord($0).description }.joined(separator: " ")
    }

    /// The command of a request, quoted for a shell, with or without its secrets.
    static func request(_ arguments: Arguments, showsSecrets: Bool) -> String {
        var hasUser = false
        let options = arguments.given.filter { $0.value != .flag(false) }.flatMap { argument -> [String] in
            if showsSecrets, case .text(let text) = argument.value {
                return ContinuationCommand.words(argument.option, text)
            }
            return ContinuationCommand.words(of: argument, in: arguments, &hasUser)
        }
        let shown = arguments.words.map { word -> String in
            if showsSecrets { return word }
            return URLShorthand.hasScheme(word) ? harmless(url: word, &hasUser) : harmless(item: word)
        }
        return (["cumulus"] + options + shown).map { ShellWord($0).description }.joined(separator: " ")
    }

    /// An option as words, without its secrets.
    private static func words(
        of argument: Arguments.Argument,
        in arguments: Arguments,
        _ hasUser: inout Bool
    ) -> [String] {
        let option = argument.option
        switch argument.value {
        case .flag(let isOn): return isOn ? [option.spellings[0]] : option.negation.map { ["--\($0)"] } ?? []
        case .count(let count): return [String](repeating: option.spellings[0], count: count)
        case .number(let seconds): return [option.spellings[0], OptionRow.text(seconds: seconds)]
        case .integer(let number): return [option.spellings[0], "\(number)"]
        case .list(let texts): return texts.flatMap { words(option, $0) }
        case .text(let text):
            switch option.secret {
            case .credentials: return harmless(auth: text, of: arguments.authType).map { words(option, $0) } ?? []
            case .url: return words(option, harmless(url: text, &hasUser))
            case .proxy: return proxy(text, in: arguments)
            case .password:
                let (name, word) = text.split(at: ":").map { ($0.before, Optional($0.behind)) } ?? (text, nil)
                return words(option, word.map { "\(name):\(harmless(secret: $0))" } ?? name)
            // There will be another prompt for it.
            case .whole: return SecretWord.isElsewhere(text) ? words(option, text) : []
            case nil: return words(option, text)
            }
        }
    }

    /// An option and its value: joined if the value begins with a dash, so that it is not read as an option.
    private static func words(_ option: OptionRow, _ value: String) -> [String] {
        let name = option.spellings[0]
        guard value.utf8.starts(with: "-".utf8), value != "-" else { return [name, value] }
        return [option.letter == nil ? "\(name)=\(value)" : name + value]
    }

    /// The proxy without its credentials, except for the name.
    private static func proxy(_ text: String, in arguments: Arguments) -> [String] {
        let proxy = text.isEmpty ? nil : try? Proxy(text)
        var words = ["--proxy", proxy?.description ?? (text.isEmpty ? "" : hidden)]
        if arguments.proxyUser == nil, let named = proxy?.credentials {
            words += ["--proxy-user", "\(named.user):\(hidden)"]
        }
        return words
    }

    /// The value of `--auth`; `nil` if it is left out.
    private static func harmless(auth text: String, of type: String?) -> String? {
        switch type.flatMap({ AuthorizationKind(named: $0) }) ?? .basic {
        case .oauth2: return nil
        case .bearer: return harmless(secret: text)
        case .apikey: return harmless(key: text)
        case .basic, .digest:
            guard let (user, word) = text.split(at: ":") else { return text }
            if SecretWord.isElsewhere(word) { return text }
            // A user without a password may be a token.
            return word.isEmpty ? hidden : user
        case .aws4: return text.split(at: ":").map { "\($0.before):\(harmless(secret: $0.behind))" } ?? hidden
        }
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
        } else {
            value =
                item.kind == .header ? SecretRedaction.value(value, of: item.name) : SecretRedaction.fieldText(value)
        }
        return value == item.value ? word : RequestItem(kind: item.kind, name: item.name, value: value).argument
    }
}
