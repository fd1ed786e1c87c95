// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The command that goes on with an interrupted download: the same once more, with `-c`.
///
/// Credentials are not repeated (T-62): a password is left out, which the command then asks for, a token and the value of a
/// header that holds a secret become `...`.
struct ContinuationCommand {
    /// The command, quoted for a shell.
    let text: String

    init(_ arguments: [String]) {
        var words = ["cumulus", "download"]
        let isBearer = ContinuationCommand.namesBearer(arguments)
        var isContinued = false
        var secretFollows = false
        for argument in arguments {
            if secretFollows {
                words.append(ContinuationCommand.credentials(argument, isBearer: isBearer))
                secretFollows = false
                continue
            }
            switch argument {
            case "-c", "--continue":
                isContinued = true
                words.append(argument)
            case "-a", "--auth", "-ca", "-qa", "-cqa", "-qca":
                secretFollows = true
                words.append(argument)
            default:
                if argument.hasPrefix("--auth=") {
                    let value = String(argument.dropFirst("--auth=".count))
                    words.append("--auth=\(ContinuationCommand.credentials(value, isBearer: isBearer))")
                } else if argument.hasPrefix("-a"), !argument.hasPrefix("--") {
                    let value = String(argument.dropFirst(2).drop { $0 == "=" })
                    words += ["-a", ContinuationCommand.credentials(value, isBearer: isBearer)]
                } else {
                    words.append(ContinuationCommand.harmless(argument))
                }
            }
        }
        if !isContinued { words.insert("-c", at: 2) }
        text = words.map { ShellWord($0).description }.joined(separator: " ")
    }

    private static func namesBearer(_ arguments: [String]) -> Bool {
        let kinds = zip(arguments, arguments.dropFirst()).filter { $0.0 == "-A" || $0.0 == "--auth-type" }.map(\.1)
        return kinds.contains("bearer") || arguments.contains("-Abearer") || arguments.contains("--auth-type=bearer")
    }

    private static func credentials(_ text: String, isBearer: Bool) -> String {
        if isBearer { return "..." }
        return text.firstIndex(of: ":").map { String(text[..<$0]) } ?? text
    }

    private static func harmless(_ word: String) -> String {
        if let item = try? RequestItem(parsing: word), item.kind == .header, !item.value.isEmpty,
            !URLShorthand.hasScheme(word)
        {
            let field: Headers = [Headers.Name(item.name): item.value]
            let isSecret = !field.description.hasSuffix(item.value)
            return isSecret ? "\(item.name):..." : word
        }
        // Up to where the path begins, whatever stands before it.
        guard URLShorthand.hasScheme(word), let colon = word.firstIndex(of: ":") else { return word }
        let start = word.index(colon, offsetBy: 3)
        let authority = word[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return word }
        let user = authority[..<at].prefix { $0 != ":" }
        return "\(word[..<start])\(user):...\(word[at...])"
    }
}
