// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TestSupport
import Testing

@testable import CumulusCLI

/// Command lines that are read without ArgumentParser mean what it reads.
@Suite struct UsualCommandTests {
    /// The options of a request, as ArgumentParser knows them.
    private struct Grammar {
        var flags: [String] = []
        var options: [String] = []

        init() {
            for option in OptionListing(CumulusCommand.self).options {
                let names = option.names.filter { $0 != "--help" }
                if option.value == nil { flags += names } else { options += names }
            }
        }

        /// An option and the value that tells it from the others.
        func assignment(_ index: Int) -> [String] {
            [options[index], Grammar.kinds[options[index]] ?? "\(index + 2)"]
        }

        /// Values of the options that are neither texts nor numbers.
        private static let kinds = ["--pretty": "colors", "--style": "light", "--as": "table"]
    }

    // Reading an option that the short cut leaves out would end the process.
    private func text(_ command: CumulusCommand) -> String {
        Mirror(reflecting: command).children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n")
    }

    /// Whether a command line is read, and as ArgumentParser reads it.
    private func isUsual(_ arguments: [String]) -> Bool {
        guard let usual = CumulusCommand.usual(arguments), let parsed = try? CumulusCommand.parse(arguments) else {
            return false
        }
        return text(usual) == text(parsed)
    }

    @Test(arguments: [[], ["get", "x.y"], ["x.y", "a=1", "b:=2", "Name:value"]])
    func wordsAlone(words: [String]) throws {
        let parsed = text(try CumulusCommand.parse(words))
        #expect(text(try #require(CumulusCommand.usual(words))) == parsed)
        #expect(parsed.contains("_maxRedirects"))
    }

    @Test("each option of a request, which is told from each other one")
    func each() {
        let grammar = Grammar()
        #expect(grammar.flags.count > 35 && grammar.options.count > 40, "\(grammar)")
        let assignments = grammar.options.indices.map(grammar.assignment)
        for names in [grammar.flags.filter { $0.count > 2 }, grammar.flags.filter { $0.count == 2 }] {
            // Two flags are apart in the line of a bit that only one of their numbers has.
            for bit in 0..<Int.bitWidth where names.count >> bit > 0 {
                let some = names.enumerated().filter { ($0.offset + 1) >> bit & 1 == 1 }.map(\.element)
                let pairs = bit.isMultiple(of: 2) ? assignments : assignments.reversed()
                let line = some + pairs.flatMap(\.self) + ["x.y"] + some
                #expect(isUsual(line), "\(line)")
            }
        }
        let long = assignments.filter { $0[0].count > 2 }.map { $0.joined(separator: "=") }
        #expect(isUsual(["get", "x.y"] + long))
    }

    @Test("Random lines")
    func mixtures() {
        let values = ["1", "0.5", "x", "a:b", "5e3", "a=b", "é", "x y", "all"]
        let words = ["get", "x.y", "a=1", "b:=2", "Name:value", "@f"]
        let grammar = Grammar()
        var taken = 0
        // A debug build's ArgumentParser takes a tenth of a second for each.
        while taken < SlowTests.rounds(8, of: 200) {
            var line: [String] = []
            for _ in 0..<Int.random(in: 1...6) {
                let value = values.randomElement() ?? ""
                switch Int.random(in: 0..<5) {
                case 0: line += [grammar.options.randomElement() ?? "", value]
                case 1: line.append("\(grammar.options.randomElement() ?? "")=\(value)")
                case 2: line.append(words.randomElement() ?? "")
                default: line.append(grammar.flags.randomElement() ?? "")
                }
            }
            guard CumulusCommand.usual(line) != nil else { continue }
            taken += 1
            #expect(isUsual(line), "\(line)")
        }
    }

    @Test(
        "Everything else is left to ArgumentParser",
        arguments: [
            ["--help", "x.y"], ["-jv", "x.y"], ["--timeout", "soon", "x.y"], ["--timeout=soon", "x.y"],
            ["-a", "", "x.y"],
            ["--auth=", "x.y"], ["-a", "-v", "x.y"], ["--auth", "x.y", "--", "-v"], ["x.y", "-a"], ["x.y", "-"],
            ["--verb", "x.y"],
            ["--json=1", "x.y"], ["--json=", "x.y"], ["-au:p", "x.y"], ["-a=u:p", "x.y"], ["--", "x.y"],
            ["--pretty", "maybe", "x.y"], ["--retry", "-1", "x.y"], ["--retry=1.5", "x.y"],
        ]
    )
    func left(line: [String]) { #expect(CumulusCommand.usual(line) == nil) }
}
