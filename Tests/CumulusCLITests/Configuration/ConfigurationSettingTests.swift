// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

/// Settings of a configuration file, without a file.
@Suite struct ConfigurationSettingTests {
    private func settings(_ lines: String) throws -> [ConfigurationSetting] {
        try ConfigurationFile(parsing: Array("[profiles.a]\n\(lines)".utf8), path: "/a/.cumulus.toml").settings
    }

    @Test(
        "a setting that weakens a protection is reported",
        arguments: [
            ("public-only = false", "public-only is turned off in /a/.cumulus.toml, line 2"),
            ("allow-address = [\"10.0.0.1\"]", "allow-address is set in /a/.cumulus.toml, line 2"),
            ("verify = false", "verify is set in /a/.cumulus.toml, line 2"),
            ("verify = \"no\"", "verify is set in /a/.cumulus.toml, line 2"),
            ("show-secrets = true", "show-secrets is set in /a/.cumulus.toml, line 2"),
        ]
    )
    func weakening(line: String, notice: String) throws {
        let setting = try #require(try settings(line).first)
        #expect(setting.loosensSecurity && setting.weakeningNotice == notice)
    }

    @Test(arguments: [
        "public-only = true", "verify = true", "verify = \"ca.pem\"", "show-secrets = false", "timeout = 2",
    ])
    func strictSettingIsNotReported(line: String) throws {
        #expect(try settings(line).first?.loosensSecurity == false)
    }

    @Test(arguments: [
        ("timeout = \"500ms\"", 0.5), ("timeout = \"2m\"", 120), ("timeout = 2", 2), ("timeout = 0.5", 0.5),
    ])
    func secondsMayHaveAUnit(line: String, seconds: Double) throws {
        var arguments = Arguments()
        try arguments.apply(try #require(try settings(line).first))
        #expect(arguments.timeout == seconds)
    }

    @Test func summaryNamesProtections() throws {
        let bytes = Array("[defaults]\npublic-only = false\nallow-address = \"10.0.0.1\"".utf8)
        let lines = TrustSummary(try ConfigurationFile(parsing: bytes, path: "/a/.cumulus.toml")).lines
        #expect(lines == ["sets public-only: false (line 2)", "sets allow-address: \"10.0.0.1\" (line 3)"])
    }
}
