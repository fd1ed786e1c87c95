// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusYAML

@Suite struct YAMLEventTests {
    @Test("a plain scalar ends at a comment, a colon and a lower indentation, and its lines are folded")
    func plain() { check(YAMLCases.plain) }

    @Test("a scalar in quotes has escapes and folded lines")
    func quoted() { check(YAMLCases.quoted) }

    @Test("a literal scalar preserves its lines, a folded one joins them, and the header chooses the last line ends")
    func blocks() { check(YAMLCases.blocks) }

    @Test("lists and maps begin and end by indentation")
    func collections() { check(YAMLCases.collections) }

    @Test("lists and maps in brackets and braces have single pairs, empty values and trailing commas")
    func flow() { check(YAMLCases.flow) }

    @Test("directives, markers, tags and anchors apply to what follows them")
    func documents() { check(YAMLCases.documents) }

    private func check(_ cases: [(yaml: String, outline: String)]) {
        for (yaml, outline) in cases { #expect(result(yaml) == outline, "\(yaml.debugDescription)") }
    }

    /// The outline, or the problem.
    private func result(_ yaml: String) -> String {
        do throws(YAMLProblem) {
            return try YAMLOutline.of(yaml)
        } catch {
            return error.description
        }
    }

    @Test("each value in brackets means the same in lines of its own")
    func styles() throws {
        for (yaml, _) in YAMLCases.quoted where !yaml.contains(where: \.isNewline) && !yaml.contains(":") {
            let value = try YAMLOutline.of(yaml)
            #expect(try YAMLOutline.of("[\(yaml)\n]") == "[\(value)]", "\(yaml)")
            #expect(try YAMLOutline.of("a: \(yaml)") == "{a: \(value)}", "\(yaml)")
            #expect(try YAMLOutline.of("- \(yaml)") == "[\(value)]", "\(yaml)")
        }
    }

    @Test func eachEventHasTheLineWhereItBegins() throws {
        var reader = YAMLEventReader("# a\nb: &c\n  - 'd\n    e'\n  - |\n    f\n\n  - [g,\n h]\r\ni: j\rk: l")
        var lines: [Int] = []
        while true {
            let event = try reader.next()
            lines.append(reader.line)
            if case .streamEnd = event { break }
        }
        #expect(lines == [2, 2, 2, 3, 3, 5, 8, 8, 9, 9, 10, 10, 10, 11, 11, 11, 11])
    }

    @Test("a key has at most 1,024 characters, unless it is in braces or after a question mark")
    func longKeys() throws {
        for (key, fits) in [(1_024, true), (1_025, false)] {
            for text in [String(repeating: "a", count: key), String(repeating: "é", count: key)] {
                for yaml in ["\(text): b", "- \(text): b", "[\(text): b]", "c: d\n\(text): b"] {
                    #expect(result(yaml).contains("longer than 1,024 characters") != fits, "\(key) characters")
                }
                for yaml in ["? \(text)\n: b", "{\(text): b}"] { #expect(try YAMLOutline.of(yaml) == "{\(text): b}") }
            }
        }
    }
}
