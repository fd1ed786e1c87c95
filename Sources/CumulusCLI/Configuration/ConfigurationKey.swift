// SPDX-License-Identifier: Apache-2.0

/// The options that a configuration may set, under their long names.
enum ConfigurationKey {
    /// The type of an option's value.
    enum Kind: String {
        case flag = "true or false"
        case text = "a string"
        case number = "a number"
        case integer = "a whole number"
        case list = "a string or a list of strings"
    }

    /// The types of all options.
    ///
    /// Options that decide where output goes, or that belong to one request, are left to the command line.
    static let kinds: [String: Kind] = [
        "timeout": .number, "max-time": .number, "max-redirects": .integer, "no-follow": .flag, "verify": .text,
        "cert": .text, "cert-key": .text, "pin": .list, "tls-min": .text, "ipv4": .flag, "ipv6": .flag,
        "unix-socket": .text, "resolve": .list, "proxy": .text, "noproxy": .text, "proxy-user": .text,
        "public-only": .flag, "allow-address": .list, "http-version": .text, "retry": .integer,
        "retry-max-time": .number, "idempotency-key": .flag, "explain": .flag,
        "auth": .text, "auth-type": .text, "netrc": .flag, "ignore-netrc": .flag, "show-secrets": .flag,
        "cookies": .text, "session": .text, "session-read-only": .text,
        "base": .text, "compressed": .flag, "form": .flag, "ignore-stdin": .flag,
        "print": .text, "pretty": .text, "style": .text, "as": .text, "indent": .integer, "sorted": .flag,
        "no-pager": .flag, "image": .flag, "all": .flag,
        "connections": .integer, "limit-rate": .text, "minimum-rate": .text, "parallel": .integer, "rate": .text,
        "remote-time": .flag,
    ]

    /// Checks that the option exists, and that its value has the right type.
    static func check(_ setting: ConfigurationSetting) throws(UsageMistake) {
        guard let kind = kinds[setting.name] else {
            let similar = SimilarName.of(setting.name, among: kinds.keys.sorted())
            throw setting.mistake(
                "no option \(quoted(setting.name)) can be set in a configuration",
                hint: similar.map { "did you mean \($0)?" } ?? "cumulus help config lists them"
            )
        }
        let fits =
            switch (kind, setting.value.content) {
            case (.flag, .boolean), (.text, .string), (.list, .string), (.integer, .integer), (.number, .integer),
                (.number, .float):
                true
            // As on the command line: yes or no.
            case (.text, .boolean): setting.name == "verify"
            case (.list, .array(let elements)):
                elements.allSatisfy { if case .string = $0.content { true } else { false } }
            default: false
            }
        guard fits else {
            throw setting.mistake("\(setting.name) takes \(kind.rawValue), not \(setting.value.kind)")
        }
    }
}
