// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import CumulusCLI

/// The usual options, which are read without ArgumentParser, mean what it reads.
@Suite struct UsualCommandTests {
    private static let flags = [
        "--json", "-j", "--form", "-f", "--compressed", "--ignore-stdin", "--offline", "--curl", "--headers", "-h",
        "--body",
        "-b", "--meta", "-m", "--verbose", "-v", "--quiet", "-q", "--all", "--sorted", "--no-pager", "--no-follow",
        "--ipv4",
        "-4", "--ipv6", "-6", "--explain", "--no-config",
    ]
    private static let options = [
        "--auth", "-a", "--auth-type", "-A", "--raw", "--base", "--output", "-o", "--print", "-p", "--filter",
        "--format",
        "-w", "--session", "--profile", "--verify", "--timeout", "--max-time",
    ]
    private static let values = ["1", "0.5", "x", "a:b", "5e3", "a=b", "é", "x y"]
    private static let words = ["get", "x.y", "a=1", "b:=2", "Name:value", "@f"]

    // Reading an option that the short cut leaves out would end the process.
    private func text(_ command: CumulusCommand) -> String {
        Mirror(reflecting: command).children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n")
    }

    private func isSame(_ arguments: [String]) -> Bool {
        guard let usual = CumulusCommand.usual(arguments) else { return true }
        guard let parsed = try? CumulusCommand.parse(arguments) else { return false }
        return text(usual) == text(parsed)
    }

    @Test(arguments: [[], ["get", "x.y"], ["x.y", "a=1", "b:=2", "Name:value"]])
    func wordsAlone(words: [String]) throws {
        let parsed = text(try CumulusCommand.parse(words))
        #expect(text(try #require(CumulusCommand.usual(words))) == parsed)
        #expect(parsed.contains("_maxRedirects"))
    }

    @Test("Each option, before and behind the words, once and twice")
    func each() {
        for flag in Self.flags {
            for line in [[flag, "x.y"], ["get", "x.y", flag], [flag, "x.y", flag]] {
                #expect(CumulusCommand.usual(line) != nil && isSame(line), "\(line)")
            }
        }
        for option in Self.options {
            for line in [[option, "7", "x.y"], ["get", "x.y", option, "7"], [option, "8", "x.y", option, "9"]] {
                #expect(CumulusCommand.usual(line) != nil && isSame(line), "\(line)")
            }
        }
    }

    @Test("Two thousand random lines")
    func mixtures() {
        var taken = 0
        for _ in 0..<2_000 {
            var line: [String] = []
            for _ in 0..<Int.random(in: 1...6) {
                switch Int.random(in: 0..<4) {
                case 0: line += [Self.options.randomElement() ?? "", Self.values.randomElement() ?? ""]
                case 1: line.append(Self.words.randomElement() ?? "")
                default: line.append(Self.flags.randomElement() ?? "")
                }
            }
            if CumulusCommand.usual(line) != nil { taken += 1 }
            #expect(isSame(line), "\(line)")
        }
        #expect(taken > 500)
    }

    @Test(
        "Everything else is left to ArgumentParser",
        arguments: [
            ["--help", "x.y"], ["-jv", "x.y"], ["--timeout=5", "x.y"], ["--timeout", "soon", "x.y"], ["-a", "", "x.y"],
            ["-a", "-v", "x.y"], ["--auth", "x.y", "--", "-v"], ["x.y", "-a"], ["x.y", "-"], ["--verb", "x.y"],
            ["--retry", "2", "x.y"], ["--", "x.y"], ["x.y", "--version"],
        ]
    )
    func others(line: [String]) { #expect(CumulusCommand.usual(line) == nil) }
}
