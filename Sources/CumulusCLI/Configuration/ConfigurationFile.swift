// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// A parsed and checked configuration file: defaults, profiles, and blocks for hosts.
struct ConfigurationFile: Equatable, Sendable {
    /// Settings of one section.
    struct Block: Equatable, Sendable {
        var settings: [ConfigurationSetting] = []
        var headers: [ConfigurationSetting] = []
        /// Credentials of a profile that belong to another origin.
        var withheld: [ConfigurationSetting] = []
    }

    let path: String
    private(set) var defaults = Block()
    private(set) var profiles: [(name: String, block: Block)] = []
    /// In the order of the file; later matching ones take precedence.
    private(set) var hosts: [(pattern: HostPattern, block: Block)] = []

    /// Parses a file's text.
    ///
    /// - Throws: ``UsageMistake`` with file, line and key.
    init(parsing bytes: [UInt8], path: String) throws(UsageMistake) {
        self.path = path
        let table: TOMLValue
        do {
            table = try TOMLReader.table(bytes)
        } catch {
            throw UsageMistake(
                "\(PeerText.printable(path)), \(error)",
                hint: "cumulus help config describes the file"
            )
        }
        for member in table.members ?? [] {
            switch member.key {
            case "defaults":
                defaults = try block(member.value, named: "defaults")
                try refuseCredentials(in: defaults)
            case "profiles":
                for profile in try members(of: member) {
                    profiles.append((profile.key, try block(profile.value, named: "profiles.\(profile.key)")))
                }
            case "hosts":
                for host in try members(of: member) {
                    guard let pattern = HostPattern(host.key) else {
                        throw mistake(
                            host.value,
                            "\(quoted(host.key)) is not a host name",
                            hint: "for example [hosts.\"*.example.com\"]"
                        )
                    }
                    hosts.append((pattern, try block(host.value, named: "hosts.\"\(host.key)\"")))
                }
            default:
                throw mistake(
                    member.value,
                    "unknown block \(quoted(member.key))",
                    hint: "options belong in [defaults], [profiles.NAME] or [hosts.\"GLOB\"]"
                )
            }
        }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.path == other.path && one.defaults == other.defaults
            && one.profiles.map(\.block) == other.profiles.map(\.block)
            && one.hosts.map(\.block) == other.hosts.map(\.block)
    }

    /// All settings, of all blocks.
    var settings: [ConfigurationSetting] {
        ([defaults] + profiles.map(\.block) + hosts.map(\.block)).flatMap { $0.settings + $0.headers }
    }

    private func block(_ value: TOMLValue, named name: String) throws(UsageMistake) -> Block {
        guard let members = value.members else { throw mistake(value, "\(name) must be a table, not \(value.kind)") }
        var block = Block()
        for member in members {
            if member.key == "headers" {
                for field in try self.members(of: member) { block.headers.append(try header(field, in: name)) }
                continue
            }
            let setting = ConfigurationSetting(name: member.key, value: member.value, file: path, block: name)
            try ConfigurationKey.check(setting)
            block.settings.append(setting)
        }
        let kind = block.settings.first { $0.name == "auth-type" }
        if case .string(let kind)? = kind?.value.content {
            for index in block.settings.indices { block.settings[index].kind = kind }
        }
        return block
    }

    private func header(_ field: TOMLValue.Member, in block: String) throws(UsageMistake) -> ConfigurationSetting {
        var setting = ConfigurationSetting(name: field.key, value: field.value, file: path, block: block)
        setting.isHeader = true
        guard case .string(let text) = field.value.content else {
            throw setting.mistake("the header \(quoted(field.key)) must be a string, not \(field.value.kind)")
        }
        guard HTTPField.Name(field.key) != nil, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw setting.mistake("\(quoted(field.key)) is not a header that can be sent") }
        return setting
    }

    /// Refuses credentials for every host, which anyone who runs a host would get.
    private func refuseCredentials(in block: Block) throws(UsageMistake) {
        let found = (block.settings + block.headers).first { setting in
            setting.isCredential || setting.isHeader && SecretRedaction.isSecret(setting.name)
        }
        guard let found else { return }
        throw found.mistake(
            "\(quoted(found.name)) in [defaults] would be sent to every host",
            hint: "to send it to one host only, write it in [hosts.\"api.example.com\"]"
        )
    }

    /// Refuses secrets in files that are not in the folder of this one: whoever wrote it may not know them.
    func refuseFilesElsewhere() throws(UsageMistake) {
        for setting in settings {
            guard let word = setting.reference, word.begins(with: "@") else { continue }
            let path = word.utf8.dropFirst().text
            guard FileReader.isElsewhere(path) else { continue }
            throw setting.mistake(
                "\(setting.name) refers to the file \(quoted(path)), which is not in this folder",
                hint: "a folder's configuration can use only regular files in that folder, not symbolic links"
            )
        }
    }

    private func members(of member: TOMLValue.Member) throws(UsageMistake) -> [TOMLValue.Member] {
        guard let members = member.value.members else {
            throw mistake(member.value, "\(member.key) must be a table, not \(member.value.kind)")
        }
        return members
    }

    private func mistake(_ value: TOMLValue, _ reason: String, hint: String? = nil) -> UsageMistake {
        UsageMistake("\(PeerText.printable(path)), line \(value.line): \(reason)", hint: hint)
    }
}
