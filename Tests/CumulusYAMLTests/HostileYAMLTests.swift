// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import TestSupport
import Testing

@testable import CumulusYAML

/// Long texts that would need time, memory or stack in proportion to the square of their length, if anything did.
@Suite struct HostileYAMLTests {
    /// The length of each text, about.
    private static let length = SlowTests.areWanted ? 1 << 20 : 1 << 14

    @Test(
        "many openings are refused at the deepest level",
        arguments: ["[", "{a: ", "- ", "? ", "[{a: ", "- ? ", "? - "]
    )
    func openings(_ opening: String) {
        let text = repeated(opening)
        let problem = #expect(throws: YAMLProblem.self) { try YAMLOutline.of(text) }
        #expect(problem?.description == "line 1: invalid YAML: it is nested deeper than 1000 levels")
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: text) }
    }

    @Test(
        "what is repeated is read once",
        arguments: [
            "a", "a ", "a\n", "# a\n", "#\n", "\n", "\r", " \n", "\t", "\t\n", "...\n", "- a\n", "a: b\n- ",
            "\"a\": b\n", "? a\n: b\n",
            "- &a b\n", "- *a\n", "- !!str a\n", "- [a, {b: c}]\n", "---\n", "--- a\n...\n", "- |\n  a\n", "- >+\n\n\n",
            "- 'a\n\n  b'\n",
            "- \"\\x41\\\n  \"\n", "é", "a#", "a:b", "-a", "a\n\n\n", "- - - - a\n",
        ]
    )
    func repetitions(_ part: String) {
        let text = repeated(part)
        let (events, problem) = count(text)
        #expect(events <= 4 * text.utf8.count + 4)
        #expect(problem == nil || part.hasPrefix("a: b\n"), "\(part.debugDescription): \(problem ?? "")")
    }

    @Test(
        "a value without an end is read once",
        arguments: [
            ("\"", "a"), ("\"", "\n"), ("\"", " "), ("'", "''"), ("[", "a,"), ("[", "\n"), ("[", "# a\n"),
            ("[", "a: b,"), ("{", "a: b,"),
            ("{", "\"a\":b,"), ("{", "a,"), ("{a: ", "b "), ("[a: ", "b\n"), ("&", "a"), ("!", "a"), ("!<", "a"),
            ("!a", "%41"), ("- ", "&a "),
            ("a: ", "b: "), ("[", "[a]: b,"), ("[", ","), ("%", "a"), ("%TAG ", "!a! b"), ("a: |", "\n"),
            ("a: >", "\n "), ("- a\n", "\u{FEFF}"),
        ]
    )
    func unfinished(_ beginning: String, _ part: String) {
        let text = beginning + repeated(part)
        #expect(count(text).events <= 4 * text.utf8.count + 4)
    }

    @Test func linesWithMoreAndMoreSpacesAreReadOnce() {
        let root = Int(Double(2 * HostileYAMLTests.length).squareRoot())
        let pads = (0..<root).map { String(repeating: " ", count: $0) }
        for text in [
            pads.map { "\($0)a:\n" }.joined(), "|\n" + pads.map { "\($0)\n" }.joined(),
            "a:\n" + pads.map { "\($0)#\n" }.joined(),
            pads.map { "\($0)- a\n" }.joined(), "|\n" + pads.reversed().map { "\($0) a\n" }.joined(),
        ] { #expect(count(text).events <= text.utf8.count) }
    }

    @Test func aLongPrefixOfTagsIsRefused() {
        let prefix = String(repeating: "a", count: HostileYAMLTests.length)
        let (events, problem) = count("%TAG !a! \(prefix)\n---\n" + repeated("- !a!b c\n"))
        #expect(events == 0 && problem == "line 1: invalid YAML: a tag's prefix is too long")
    }

    private func repeated(_ part: String) -> String {
        String(repeating: part, count: HostileYAMLTests.length / part.utf8.count)
    }

    /// The number of events, and the problem that ends them.
    private func count(_ text: String) -> (events: Int, problem: String?) {
        var reader = YAMLEventReader(text)
        var count = 0
        do throws(YAMLProblem) {
            while true {
                if case .streamEnd = try reader.next() { return (count, nil) }
                count += 1
            }
        } catch {
            return (count, error.description)
        }
    }
}
