// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Creates the output of `cumulus config`.
struct ConfigurationListing {
    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The lines, without a line end after the last.
    func text() throws(UsageMistake) -> String {
        let lookup = ConfigurationLookup(surroundings)
        switch (arguments.words.first, arguments.words.count) {
        case ("path", 1): return lookup.userPath ?? ""
        case ("show", 1), ("show", 2): break
        default:
            throw UsageMistake(
                "config must be followed by show or path",
                hint: "write cumulus config show [URL] or cumulus config path"
            )
        }
        let configuration = try lookup.configuration()
        var origin: Origin?
        if arguments.words.count == 2 { origin = try URLShorthand(parsing: arguments.words[1]).url.origin }
        let block = try configuration.block(for: origin, profile: arguments.profile)
        var lines = block.settings.map { line($0.name, $0) }
        lines += block.headers.map { line("headers.\(ConfigurationListing.key($0.name))", $0) }
        if let origin { lines += block.withheld.map { "# \($0.withholding(from: origin))" } }
        if let notice = configuration.notice { lines.append("# \(PeerText.printable(notice, limit: 1_000))") }
        return lines.joined(separator: "\n")
    }

    private func line(_ name: String, _ setting: ConfigurationSetting) -> String {
        "\(name) = \(ConfigurationListing.text(setting))"
            + (arguments.origin ? "  # \(setting.place), [\(PeerText.printable(setting.block))]" : "")
    }

    /// A setting's value without its secrets, on one line.
    static func text(_ setting: ConfigurationSetting) -> String {
        setting.shownText.map { TerminalText.harmless(JSON.string($0).description, keepsLines: false) }
            ?? text(setting.value)
    }

    /// A key as a file writes it: in quotes, unless it has letters, digits, - and _ only.
    static func key(_ name: String) -> String {
        let isBare =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || 0x30...0x39 ~= byte || 0x41...0x5A ~= byte
                    || 0x61...0x7A ~= byte
            }
        return isBare ? name : JSON.string(name).description
    }

    private static func text(_ value: TOMLValue) -> String {
        switch value.content {
        // JSON and TOML escape control characters in the same way.
        case .string(let text): TerminalText.harmless(JSON.string(text).description, keepsLines: false)
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .boolean(let isOn): "\(isOn)"
        case .date(let text): text
        case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
        case .table: "{}"
        }
    }
}
