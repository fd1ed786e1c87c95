// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// An option or a header field of a configuration file, with its place.
struct ConfigurationSetting: Equatable, Sendable {
    /// The option's long name, or the field's name.
    let name: String
    let value: TOMLValue
    /// The file's path.
    let file: String
    /// The block: `defaults`, `profiles.work`, `hosts."*.example.com"`.
    let block: String
    /// Whether it is a header field.
    var isHeader = false
    /// The `auth-type` of the same block.
    var kind: String?

    /// The value if it is a string.
    var text: String? { if case .string(let text) = value.content { text } else { nil } }

    /// Whether its block is a profile's.
    var isOfProfile: Bool { block.begins(with: "profiles.") }

    /// Whether its block is one for hosts.
    var isOfHost: Bool { block.begins(with: "hosts.") }

    /// The place, in words.
    var place: String { "\(PeerText.printable(file)), line \(value.line)" }

    /// A mistake with the place.
    func mistake(_ reason: String, hint: String? = nil) -> UsageMistake {
        UsageMistake("\(place): \(reason)", hint: hint)
    }

    /// Why a profile's credential is not sent to an origin.
    func withholding(from origin: Origin) -> String {
        "\(place): \(name) is not sent to \(origin), because its profile's base has a different origin"
    }

    /// Whether it proves to a server who asks: credentials, or a header field with a secret.
    var isCredential: Bool { isHeader ? isSecret : option?.secret == .credentials }

    /// Whether it proves to a proxy who asks.
    var isProxyUser: Bool { option?.secret == .password }

    /// Whether its value contains a secret, rather than a reference to one.
    var isSecret: Bool {
        guard case .string(let text) = value.content else { return false }
        if isHeader { return SecretRedaction.value(text, of: name) != text }
        return switch option?.secret {
        case .credentials: !isReference(text)
        case .password: text.split(at: ":").map { !ConfigurationSetting.isElsewhere($0.behind) } ?? false
        case .whole: !ConfigurationSetting.isElsewhere(text)
        case .url, .proxy: ConfigurationSetting.shownURL(text) != text
        case nil: false
        }
    }

    /// The `env:NAME` or `@FILE` that the secret of `auth` or `proxy-user` may be in, whatever its kind; `nil` if there
    /// is none.
    var reference: String? {
        guard isProxyUser || option?.secret == .credentials, let text else { return nil }
        var words = [text, text.split(at: ":")?.behind]
        if let (_, rest) = text.split(at: "="), rest.begins(with: "=") { words.append(rest.utf8.dropFirst().text) }
        if isProxyUser { words.removeFirst() }
        return words.compactMap(\.self).first(where: SecretWord.isElsewhere)
    }

    /// The value as it may be printed.
    var shownText: String? {
        guard case .string(let text) = value.content else { return nil }
        // Text in the wrong place may be a secret.
        if let option, !option.takes(text) { return "<invalid>" }
        guard isSecret else { return isHeader || !text.has("://") ? nil : ConfigurationSetting.shownURL(text) }
        return switch option?.secret {
        case .url, .proxy: ConfigurationSetting.shownURL(text)
        case .credentials, .password, .whole, nil: "<redacted>"
        }
    }

    /// How to keep its secret elsewhere.
    var secretHint: String {
        switch option?.secret {
        case .credentials, .password, .whole: "replace the secret with env:NAME or @FILE"
        case .proxy: "set proxy-user = \"USER:env:NAME\" to keep the password out of the file"
        case .url: "set auth = \"USER:env:NAME\" to keep the password out of the file"
        case nil: "run chmod 600 \(PeerText.printable(file))"
        }
    }

    /// Whether the secret of `auth` is in a variable or a file.
    private func isReference(_ text: String) -> Bool {
        if ConfigurationSetting.isElsewhere(text) { return true }
        switch kind?.lowercased() {
        case "bearer", "oauth2": return false
        case "apikey":
            if let (name, key) = text.split(at: "="), key.begins(with: "="), !name.has(anyOf: ":") {
                return ConfigurationSetting.isElsewhere(key.utf8.dropFirst().text)
            }
        default: break
        }
        return text.split(at: ":").map { ConfigurationSetting.isElsewhere($0.behind) } ?? false
    }

    /// Whether a word is `env:NAME` or `@FILE`; one with another colon has text besides, which may be a secret.
    private static func isElsewhere(_ word: String) -> Bool {
        if word.begins(with: "@") { return !word.has(anyOf: ":") }
        return word.begins(with: "env:") && !word.utf8.dropFirst(4).contains(UInt8(ascii: ":"))
    }

    /// A URL, which may lack its scheme, without its user and secret query items.
    private static func shownURL(_ text: String) -> String {
        if text.has("//") { return SecretRedaction.url(text) }
        return SecretRedaction.url("//\(text)").utf8.dropFirst(2).text
    }

    /// Whether another option can't be combined with it.
    func excludes(_ other: ConfigurationSetting) -> Bool {
        guard value.content != .boolean(false), let option, let second = other.option else { return false }
        return option.conflicts[second.name] != nil || second.conflicts[option.name] != nil
    }

    /// Whether it replaces the trusted authorities, or trusts everybody.
    var choosesTrust: Bool {
        switch (name, value.content) {
        case ("verify", .boolean(let isOn)): !isOn
        case ("verify", .string(let word)): !["yes", "true"].contains(word.lowercased())
        default: false
        }
    }

    /// Whether the setting weakens a protection.
    var loosensSecurity: Bool {
        switch (option?.weakening, value.content) {
        case (.whenTrue?, .boolean(let isOn)): isOn
        case (.whenFalse?, .boolean(let isOn)), (.whenNo?, .boolean(let isOn)): !isOn
        case (.whenNo?, .string(let word)): ["no", "false"].contains(word.lowercased())
        case (.always?, _): true
        default: false
        }
    }

    /// The warning that the setting weakens a protection.
    var weakeningNotice: String {
        "\(name) is \(option?.weakening == .whenFalse ? "turned off" : "set") in \(place)"
    }
}
