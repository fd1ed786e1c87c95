// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

/// Command lines as the table of options reads them.
@Suite struct ArgumentParserTests {
    private func arguments(_ line: String..., for command: Subcommand = .request) throws -> Arguments {
        try ArgumentParser.parse(line, for: command)
    }

    @Test("a value is the next word, joined with =, or joined to a letter")
    func values() throws {
        for line in [
            ["-a", "u:p"], ["-au:p"], ["-a=u:p"], ["--auth", "u:p"], ["--auth=u:p"], ["-ba", "u:p"], ["-bau:p"],
        ] {
            #expect(try ArgumentParser.parse(line + ["x.y"], for: .request).auth == "u:p", "\(line)")
        }
        let arguments = try arguments("--proxy=", "x.y", "--raw", "", "-p=", "-o", "-")
        #expect(arguments.proxy == "" && arguments.raw == "" && arguments.print == "" && arguments.output == "-")
        #expect(arguments.words == ["x.y"])
    }

    @Test(
        "seconds may have a unit",
        arguments: [("2", 2), ("0.5", 0.5), ("500ms", 0.5), ("2s", 2), ("1.5m", 90), ("1h", 3_600), ("0", 0)]
    )
    func seconds(text: String, seconds: Double) throws {
        #expect(try arguments("--timeout", text).timeout == seconds)
    }

    @Test(arguments: ["s", "ms", "2d", "1 s", "nan", "infs", "-1s", "9000h", "1sm"])
    func wrongSeconds(text: String) {
        #expect(throws: UsageMistake.self) { try arguments("--timeout=\(text)") }
    }

    @Test("letters of flags may be joined, and counted")
    func letters() throws {
        let arguments = try arguments("-jvv", "-4", "x.y", "--verbose")
        #expect(arguments.json && arguments.ipv4 && arguments.verbose == 3 && arguments.words == ["x.y"])
    }

    @Test("words after -- are no options; a lone dash is a word")
    func dashes() throws {
        let arguments = try arguments("x.y", "-", "-b", "--", "-v", "--auth", "--")
        #expect(arguments.words == ["x.y", "-", "-v", "--auth", "--"] && arguments.body && arguments.auth == nil)
    }

    @Test("a negative number is a value, and -4 and -6 are options")
    func negativeNumbers() throws {
        for number in ["-1", "-.5", "-60"] { #expect(try arguments("--raw", number).raw == number) }
        let reason = #expect(throws: UsageMistake.self) { try arguments("--retry", "-1", "x.y") }?.reason
        #expect(reason == "--retry takes a number from 0 to 1000, not '-1'")
        for family in ["-4", "-6", "-4v", "-6q"] {
            let arguments = try arguments("--curl", family, "x.y")
            #expect(arguments.curl && arguments.words == ["x.y"] && (arguments.ipv4 || arguments.ipv6))
            #expect(throws: UsageMistake.self) { try self.arguments("--raw", family) }
        }
    }

    @Test("the last of two values counts, and lists grow")
    func repetition() throws {
        let arguments = try arguments(
            "--timeout",
            "1",
            "--pin",
            "a",
            "--timeout=2",
            "--pin=b",
            "--netrc",
            "--ignore-netrc"
        )
        #expect(arguments.timeout == 2 && arguments.pin == ["a", "b"] && arguments.ignoreNetrc && !arguments.netrc)
    }

    @Test(
        "what can't be meant is a mistake, and no value is quoted that may be a secret",
        arguments: [
            (["--json=hunter2"], "--json does not take a value"), (["-a"], "missing value for '-a <user:pass>'"),
            (["--auth", "-v"], "missing value for '--auth <user:pass>'"),
            (["--auht=hunter2"], "unknown option '--auht'"),
            (["-jZhunter2"], "unknown option '-Z'"), (["-4", "-6"], "--ipv4 and --ipv6 can't be combined"),
            (["--tls-min", "1.1"], "--tls-min takes 1.2 or 1.3, not '1.1'"),
            (["--timeout", "soon"], "--timeout takes a number of seconds, from 0 to one year, not 'soon'"),
            (["--indent", "1.5"], "--indent takes a number from 0 to 16, not '1.5'"),
            (["--verb"], "unknown option '--verb'"),
            (["--auth:hunter2"], "unexpected text after '--auth'; only = and a value can follow"),
        ]
    )
    func mistakes(line: [String], reason: String) {
        let mistake = #expect(throws: UsageMistake.self) { try ArgumentParser.parse(line, for: .request) }
        #expect(mistake?.reason == reason)
        #expect(!"\(String(describing: mistake))".contains("hunter2"))
    }

    @Test("a flag of a configuration can be turned off")
    func negation() throws {
        let arguments = try arguments("--follow", "--no-sorted", "--pager", "x.y")
        #expect(!arguments.noFollow && !arguments.sorted && !arguments.noPager && arguments.given.count == 3)
        #expect(throws: UsageMistake.self) { try self.arguments("--no-json") }
    }

    @Test("20,000 items are read in one pass")
    func manyItems() throws {
        let items = (1...20_000).map { "a\($0)=b" }
        let arguments = try ArgumentParser.parse(["post", "x.y", "--offline"] + items + ["-v"] + items, for: .request)
        #expect(arguments.words == ["post", "x.y"] + items + items && arguments.offline && arguments.verbose == 1)
    }
}
