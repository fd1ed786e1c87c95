// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// What the configuration files say together.
struct Configuration: Equatable, Sendable {
    /// The files, the one that counts before the others first.
    var files: [ConfigurationFile] = []
    /// What is worth saying of a file that is not used.
    var notice: String?

    /// The settings and header fields for an origin, the one that counts for each name: of a profile before those of a
    /// host's block, those before defaults.
    ///
    /// - Parameters:
    ///   - origin: Where the request goes; `nil` leaves blocks for hosts out.
    ///   - profile: The profile that is asked for.
    /// - Returns: The settings, each name once.
    /// - Throws: ``UsageMistake`` for a profile that no file has.
    func block(for origin: Origin?, profile: String?) throws(UsageMistake) -> ConfigurationFile.Block {
        if let profile, !files.contains(where: { $0.profiles.contains { $0.name == profile } }) {
            let names = Set(files.flatMap { $0.profiles.map(\.name) }).sorted()
            throw UsageMistake(
                "no configuration has a profile \(quoted(profile))",
                hint: names.isEmpty
                    ? "[profiles.\(profile)] in config.toml makes one" : "there are \(names.joined(separator: ", "))"
            )
        }
        var all = ConfigurationFile.Block()
        for file in files {
            var blocks: [ConfigurationFile.Block] = []
            blocks += file.profiles.filter { $0.name == profile }.map(\.block)
            if let origin { blocks += file.hosts.reversed().filter { $0.pattern.fits(origin) }.map(\.block) }
            for block in blocks + [file.defaults] {
                all.settings += block.settings.filter { new in !all.settings.contains { $0.name == new.name } }
                all.headers += block.headers.filter { new in
                    !all.headers.contains { $0.name.lowercased() == new.name.lowercased() }
                }
            }
        }
        return all
    }

    /// The URL that paths are below, which is known before any host is.
    func base(profile: String?) throws(UsageMistake) -> String? {
        let setting = try block(for: nil, profile: profile).settings.first { $0.name == "base" }
        guard case .string(let text)? = setting?.value.content else { return nil }
        return text
    }
}
