// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// An option or a header field as a configuration file sets it, and where.
struct ConfigurationSetting: Equatable, Sendable {
    /// The option's long name, or the field's.
    let name: String
    let value: TOMLValue
    /// The file's path.
    let file: String
    /// The block: `defaults`, `profiles.work`, `hosts."*.example.com"`.
    let block: String

    /// Where it stands, in words.
    var place: String { "\(PeerText.printable(file)), line \(value.line)" }

    /// A mistake that names the place.
    func mistake(_ reason: String, hint: String? = nil) -> UsageMistake {
        UsageMistake("\(place): \(reason)", hint: hint)
    }

    /// Whether its value is a secret itself, and doesn't only say where one is.
    var isSecret: Bool {
        guard ["auth", "proxy-user"].contains(name), case .string(let text) = value.content else { return false }
        return !text.begins(with: "env:") && !text.begins(with: "@") && !text.has(":env:") && !text.has(":@")
    }

    /// Whether it takes a protection away.
    var loosensSecurity: Bool {
        switch (name, value.content) {
        case ("verify", .boolean(false)), ("show-secrets", .boolean(true)): true
        case ("verify", .string(let word)): ["no", "false"].contains(word.lowercased())
        default: false
        }
    }
}
