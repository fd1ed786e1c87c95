// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The combined content of the configuration files.
struct Configuration: Equatable, Sendable {
    /// The files, the one with the highest precedence first.
    var files: [ConfigurationFile] = []
    /// A notice about a file that is not used.
    var notice: String?

    /// The effective settings and header fields for an origin: a profile's take precedence over those of a host's
    /// block, and those over defaults.
    ///
    /// - Parameters:
    ///   - origin: The request's origin; `nil` leaves out blocks for hosts.
    ///   - profile: The requested profile.
    /// - Returns: The settings, each name once.
    /// - Throws: ``UsageMistake`` for a profile that no file has.
    func block(for origin: Origin?, profile: String?) throws(UsageMistake) -> ConfigurationFile.Block {
        if let profile, !files.contains(where: { $0.profiles.contains { $0.name == profile } }) {
            let names = Set(files.flatMap { $0.profiles.map(\.name) }).sorted()
            throw UsageMistake(
                "no configuration file defines the profile \(quoted(profile))",
                hint: names.isEmpty
                    ? "add [profiles.\(PeerText.printable(ConfigurationListing.key(profile)))] to config.toml"
                    : "profiles: \(names.joined(separator: ", "))"
            )
        }
        var all = ConfigurationFile.Block()
        for file in files {
            var blocks: [ConfigurationFile.Block] = []
            blocks += file.profiles.filter { $0.name == profile }.map(\.block)
            if let origin { blocks += file.hosts.reversed().filter { $0.pattern.fits(origin) }.map(\.block) }
            for block in Configuration.bound(blocks, of: file, to: origin, &all.withheld) + [file.defaults] {
                all.settings += block.settings.filter { new in !all.settings.contains { $0.name == new.name } }
                all.headers += block.headers.filter { new in
                    !all.headers.contains { $0.name.lowercased() == new.name.lowercased() }
                }
            }
        }
        return all
    }

    /// The blocks without a profile's credentials if its base URL is on another origin: they belong to that base.
    private static func bound(
        _ blocks: [ConfigurationFile.Block],
        of file: ConfigurationFile,
        to origin: Origin?,
        _ withheld: inout [ConfigurationSetting]
    ) -> [ConfigurationFile.Block] {
        guard let origin else { return blocks }
        return blocks.map { block in
            guard let base = (block.settings + file.defaults.settings).first(where: { $0.name == "base" }),
                case .string(let text) = base.value.content,
                (block.settings + block.headers).first?.isOfProfile == true,
                (try? URLShorthand(parsing: text).url.origin) != origin
            else { return block }
            var kept = block
            kept.settings.removeAll { $0.name == "auth" || $0.name == "auth-type" }
            kept.headers.removeAll(where: \.isCredential)
            withheld += (block.settings + block.headers).filter(\.isCredential)
            return kept
        }
    }

    /// The base URL of paths, which is known before the host is.
    func base(profile: String?) throws(UsageMistake) -> String? {
        let setting = try block(for: nil, profile: profile).settings.first { $0.name == "base" }
        guard case .string(let text)? = setting?.value.content else { return nil }
        return text
    }
}
