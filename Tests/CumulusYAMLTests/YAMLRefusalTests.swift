// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusYAML

@Suite struct YAMLRefusalTests {
    @Test(
        "a mistake is named with its line",
        arguments: [
            ("a: b\n  c: d", 2, "a key must be on one line"),
            ("a:\n    b: c\n  d: e", 3, "column of the map's first key"),
            ("- a\n - b\n  c: d", 3, "a key must be on one line"),
            ("a:\n  - b\n c: d", 3, "column of the map's first key"),
            ("- a\nb: c", 2, "doesn't begin with"), ("a: b\n- c", 2, "a list entry is among a map's keys"),
            ("a\n b: c", 2, "a key must be on one line"), ("a: b\nc", 2, "must be followed by \": \""),
            ("a: b\nc\nd: e", 2, "must be followed by \": \""),
            ("a: b: c", 1, "\": \" can't be in a value"), ("a: - b", 1, "can't begin on this line"),
            ("--- - a", 1, "can't begin on this line"),
            ("--- a: b", 1, "\": \" can't be in a value"), ("a: ? b", 1, "can't begin on this line"),
            ("&a - b", 1, "can't begin with \"-\""),
            ("a:\n\tb: c", 2, "tab"), ("\ta: b", 1, "tab"), ("- a\n\t- b\n\t: c", 2, "tab"),
            ("a:\n  b: c\n\td: e", 3, "tab"),
            ("-\t- a", 1, "can't begin on this line"), ("-\ta: b", 1, "\": \" can't be in a value"),
            (": a", 1, "a colon has no key"), ("- : a", 1, "a colon has no key"), ("a: : b", 1, "a colon has no key"),
            ("{: a}", 1, "a colon has no key"),
            ("'a' b", 1, "unexpected text after a value"), ("\"a\" \"b\"", 1, "unexpected text"),
            ("[a] b", 1, "unexpected text"), ("a: [b]]", 1, "unexpected text"),
            ("*a b", 1, "unexpected text"), ("'a'#b", 1, "a space before the #"),
            ("[a,#b\n]", 1, "a space before the #"),
            ("a: b\n---\n  c\nd: e", 4, "a key must be on one line"), ("[a]\nb", 2, "after the document's value"),
        ]
    )
    func structure(yaml: String, line: Int, reason: String) { refuses(yaml, line, reason) }

    @Test(
        arguments: [
            ([0x61, 0x3A, 0x20, 0xFF], 1), ([0xC0, 0x80], 1), ([0x61, 0x3A, 0x0A, 0x20, 0xE2, 0x82], 2),
        ] as [(bytes: [UInt8], line: Int)]
    )
    func bytesThatAreNotUTF8(bytes: [UInt8], line: Int) {
        #expect(throws: YAMLProblem("line \(line): the YAML is not valid UTF-8")) { try JSON(parsingYAML: bytes) }
    }

    @Test(
        "an unfinished value is named with the line where it begins",
        arguments: [
            ("a:\n  'b\n\nc", 2, "no closing quote"), ("\"a\n\n", 1, "no closing quote"),
            ("'a\n---\nb'", 2, "separates documents"),
            ("\"a\n...\n\"", 2, "separates documents"), ("\"a\\\n---\n\"", 2, "separates documents"),
            ("\"a\\", 1, "backslash"),
            ("a: [b,\nc", 1, "no closing bracket"),
            ("a: {b: c\nd: e\n", 2, "unexpected colon"), ("[a\n---\nb]", 1, "no closing bracket"),
            ("[", 1, "no closing bracket"),
            ("- a\n- [b, {c: d]", 2, "expected a comma"), ("{a: b", 1, "no closing bracket"),
            ("[a, b", 1, "no closing bracket"), ("[\n[a],\n", 1, "no closing bracket"),
            ("{a: [b\n}", 2, "expected a comma"), ("{a b: c d: e}", 1, "unexpected colon"),
            ("[a\n: b]", 2, "unexpected colon"), ("[[a]: b]", 1, "unexpected colon"),
            ("{a: [b]: c}", 1, "unexpected colon"), ("[\"a\" \"b\"]", 1, "expected a comma"),
        ]
    )
    func unfinished(yaml: String, line: Int, reason: String) { refuses(yaml, line, reason) }

    @Test(
        "a character that can't be there is named with its line",
        arguments: [
            ("a\n%b: c", 2, "a key must be on one line"), ("- %a", 1, "can't begin with \"%\""),
            ("a: @b", 1, "can't begin with \"@\""), ("- `a`", 1, "can't begin with \"`\""),
            ("[,]", 1, "can't begin with \",\""), ("[a, , b]", 1, "can't begin with \",\""),
            ("a: ]", 1, "can't begin with \"]\""), ("a: , b", 1, "can't begin with \",\""),
            ("[- a]", 1, "can't begin with \"-\""), ("{a: |\n b}", 1, "can't begin with \"|\""),
            ("a: |b\n c", 1, "unexpected text after | or >"), ("|0\n a", 1, "unexpected text after | or >"),
            ("|12\n a", 1, "unexpected text"), (">-+\n a", 1, "unexpected text"),
            ("|#a\n b", 1, "a space before the #"), ("|\n   \n a", 3, "an empty line has more spaces"),
            (#""\q""#, 1, "backslash"), (#""\'""#, 1, "backslash"), (#""\x4""#, 1, "2 hexadecimal digits"),
            (#""\u00e""#, 1, "4 hexadecimal digits"),
            (#""\ud83d\ude00""#, 1, "not a Unicode character"), (#""\U00110000""#, 1, "not a Unicode character"),
            ("a\nb\u{1}", 2, "control characters"), ("a: \u{7F}", 1, "control characters"),
            ("\n\r\n\r\u{84}", 4, "control characters"), ("a\u{FEFF}", 1, "control characters"),
            ("a\u{FFFE}", 1, "control characters"), ("\"\u{0}\"", 1, "control characters"),
        ]
    )
    func characters(yaml: String, line: Int, reason: String) { refuses(yaml, line, reason) }

    @Test(
        "a wrong tag, anchor or directive is named with its line",
        arguments: [
            ("!a!b c", 1, "\"!a!\", which no %TAG directive declares"),
            ("a\n...\n%TAG !a! b\n---\n!a!c d\n---\n!a!c d", 7, "no %TAG directive"), ("!!", 1, "no name after \"!!\""),
            ("!a! b", 1, "no name after \"!a!\""),
            ("!<a b", 1, "must end with >"), ("!<> a", 1, "must end with >"), ("!a%zz b", 1, "two hexadecimal digits"),
            ("!a%FF b", 1, "not UTF-8"), ("!é b", 1, "not allowed there"), ("!a!b!c d", 1, "%TAG"),
            ("!![a]", 1, "no name"), ("!a[b]", 1, "not allowed there"), ("&a[b]", 1, "not allowed there"),
            ("& a", 1, "followed by a name"), ("* a", 1, "followed by a name"), ("&a &b c", 1, "two anchors"),
            ("!a !b c", 1, "two anchors or two tags"), ("&a\n&b\nc", 2, "on two lines"),
            ("&a *b", 1, "an alias can't have"), ("&a\n*b", 2, "an alias can't have"),
            ("[&a *b]", 1, "an alias can't have"), ("[&a &b c]", 1, "two anchors"),
            ("%YAML 2.0\n--- a", 1, "\"2.0\" is not supported"), ("%YAML\n--- a", 1, "not supported"),
            ("%YAML 1.2\n%YAML 1.2\n---", 2, "a second %YAML"),
            ("%YAML 1.2 a\n---", 1, "unexpected text after a directive"),
            ("%TAG !a! b\n%TAG !a! c\n---", 2, "a second %TAG"), ("%TAG a b\n---", 1, "must have a handle"),
            ("%TAG !a!\n---", 1, "must have a handle"), ("% a\n---", 1, "no name"),
            ("%YAML 1.2\na", 2, "a line with ---"), ("%YAML 1.2", 1, "a line with ---"),
            ("%YAML 1.2\n...", 2, "a line with ---"), ("a\n... b", 2, "unexpected text after ..."),
            ("%TAG !a! \(String(repeating: "b", count: 1_025))\n--- a", 1, "prefix is too long"),
        ]
    )
    func properties(yaml: String, line: Int, reason: String) { refuses(yaml, line, reason) }

    @Test(
        "a list or map is refused as a key, as JSON has no such keys",
        arguments: [
            "[a]: b", "{a: b}: c", "[a]: b\nc: d", "- {a: b}: c", "{[a]: b}", "{{a: b}: c}", "? {a: b}\n: c",
            "? - a\n: b",
        ]
    )
    func collectionsAsKeys(yaml: String) {
        let problem = #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: yaml) }
        #expect(problem?.description == "line 1: a key is not a scalar")
    }

    private func refuses(_ yaml: String, _ line: Int, _ reason: String) {
        let problem = #expect(throws: YAMLProblem.self, "\(yaml.debugDescription)") { try YAMLOutline.of(yaml) }
        let description = problem?.description ?? ""
        #expect(description.hasPrefix("line \(line): invalid YAML: "), "\(yaml.debugDescription): \(description)")
        #expect(description.contains(reason), "\(yaml.debugDescription): \(description)")
    }
}
