// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// An option or a header field of a configuration file, with its place.
struct ConfigurationSetting: Equatable, Sendable {
    /// The option's long name, or the field's name.
    let name: String
    let value: TOMLValue
    /// The file's path.
    let file: String
    /// The block: `defaults`, `profiles.work`, `hosts."*.example.com"`.
    let block: String

    /// The place, in words.
    var place: String { "\(PeerText.printable(file)), line \(value.line)" }

    /// A mistake with the place.
    func mistake(_ reason: String, hint: String? = nil) -> UsageMistake {
        UsageMistake("\(place): \(reason)", hint: hint)
    }

    /// Whether its value is a secret itself, rather than a reference to one.
    var isSecret: Bool {
        guard ["auth", "proxy-user"].contains(name), case .string(let text) = value.content else { return false }
        return !text.begins(with: "env:") && !text.begins(with: "@") && !text.has(":env:") && !text.has(":@")
    }

    /// Whether it disables a protection.
    var loosensSecurity: Bool {
        switch (name, value.content) {
        case ("verify", .boolean(false)), ("show-secrets", .boolean(true)): true
        case ("verify", .string(let word)): ["no", "false"].contains(word.lowercased())
        default: false
        }
    }
}
