// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

/// TOML 1.0, with the lines of its values.
@Suite struct TOMLReaderTests {
    private func read(_ text: String) throws -> TOMLValue { try TOMLReader.table(Array(text.utf8)) }

    private func problem(_ text: String) -> TOMLProblem? {
        do throws(TOMLProblem) {
            _ = try TOMLReader.table(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private func content(_ text: String) throws -> TOMLValue.Content? {
        try read("k = \(text)\n").members?[0].value.content
    }

    @Test("strings have four kinds of quotes")
    func strings() throws {
        #expect(try content(#""a\tb \u00e9 \U0001F600 \"q\"""#) == .string("a\tb \u{E9} \u{1F600} \"q\""))
        #expect(try content(#"'C:\x'"#) == .string(#"C:\x"#))
        #expect(try content("\"\"\"\none\n  two \\\n   three\"\"\"") == .string("one\n  two three"))
        #expect(try content("'''\na'b''c\n'''") == .string("a'b''c\n"))
        #expect(try content("\"\"\"\"quoted\"\"\"\"\"") == .string("\"quoted\"\""))
    }

    @Test("Numbers, booleans and dates")
    func scalars() throws {
        #expect(try content("1_000") == .integer(1_000))
        #expect(problem("k = -0x7") != nil)
        #expect(try content("0xdead_BEEF") == .integer(0xDEAD_BEEF))
        #expect(try content("0o17") == .integer(15))
        #expect(try content("6.5e-1") == .float(0.65))
        #expect(try content("true") == .boolean(true))
        #expect(try content("1979-05-27T07:32:00Z") == .date("1979-05-27T07:32:00Z"))
        #expect(try content("1979-05-27 07:32:00") == .date("1979-05-27 07:32:00"))
    }

    @Test("tables, dotted keys, lists and inline tables keep their lines")
    func tables() throws {
        let table = try read(
            "a.b = 1 # note\n[t.\"x y\"]\nc = [1,\n  2, # two\n]\nd = { e = 'f', g.h = 2 }\n[[l]]\n[[l]]\nz = 0\n"
        )
        let members = table.members ?? []
        #expect(members.map(\.key) == ["a", "t", "l"])
        let inner = members[1].value.members?[0]
        #expect(inner?.key == "x y" && inner?.value.line == 2)
        #expect(inner?.value.members?.map(\.value.line) == [3, 6])
        guard case .array(let tables) = members[2].value.content else { Issue.record("no list"); return }
        #expect(tables.map(\.line) == [7, 8])
    }

    @Test(
        "a mistake is reported with its line",
        arguments: [
            ("a = 1\nb = \n", 2, "a value is missing"), ("a = 1\na = 2", 2, "already set"),
            ("[t]\n[t]", 2, "already set"), ("a = 1\n[a.b]", 2, "already set"),
            ("a.b = 1\n[a]", 2, "already set"),
            ("a = yes", 1, "put quotes around strings"), ("a = \"x", 1, "no closing"),
            ("a = [1, 2", 1, "closing bracket"),
            ("\n\na = '''x\n\n", 5, "no closing"), ("a = 1 b = 2", 1, "its own line"), ("a 1", 1, "followed by ="),
            ("a = \"\\x\"", 1, "backslash"), ("a = 01", 1, "value is not valid"), ("a = 1__0", 1, "value is not valid"),
            ("a = \"\u{1}\"", 1, "control"), ("[t\n", 1, "no closing"), ("a = 99999999999999999999", 1, "more than 64"),
            ("a = {b = 1,\n}", 1, "key is missing"), ("a = {b = 1,}", 1, "a comma can't come before the closing brace"),
            ("a = [1,\n  2,\n", 1, "the list has no closing bracket"), ("a = [1\nb = 2", 2, "needs a comma"),
        ]
    )
    func problems(text: String, line: Int, reason: String) {
        let found = problem(text)
        #expect(found?.line == line && found?.reason.contains(reason) == true, "\(String(describing: found))")
    }

    @Test("a mistake shows no value, which may be a password")
    func secrets() {
        for text in [
            "auth = ada:s3cr3t", "auth = s3cr3t s3cr3t", "auth = [s3cr3t]", "auth = \"ada:s3cr3t",
            "auth = 's3cr3t' s3cr3t",
        ] {
            let found = problem("\n\(text)\n")
            #expect(found?.line == 2 && found?.description.contains("s3cr3t") == false, "\(String(describing: found))")
        }
    }

    @Test("bytes that are not text, and unterminated lists, are errors and don't crash")
    func hostile() {
        #expect(throws: TOMLProblem.self) { try TOMLReader.table([0x61, 0x0A, 0xFF]) }
        #expect(problem("a = " + String(repeating: "[", count: 100_000))?.reason.contains("too deeply") == true)
        #expect(problem("a = " + String(repeating: "{a=", count: 100_000))?.reason.contains("too deeply") == true)
        let dots = String(repeating: "a.", count: 10_000)
        for text in ["\(dots)a = 1", "[\(dots)a]", "[[\(dots)a]]", "k = { \(dots)a = 1 }", "\n[t]\n\(dots)a = 1"] {
            #expect(problem(text)?.reason.contains("too deeply") == true)
        }
        let half = String(repeating: "a.", count: 32)
        #expect(problem("[\(half)a]\n\(half)a = 1") == TOMLProblem(line: 2, reason: "the key is nested too deeply"))
        #expect(problem("[\(half)a]\nb = 1") == nil)
        for byte in UInt8.min...UInt8.max { _ = try? TOMLReader.table([0x61, 0x3D, byte, 0x31, byte]) }
    }

    @Test("the time for many tables of a list grows with their number, not with its square")
    func manyTables() throws {
        func cost(_ count: Int) throws -> Double {
            let bytes = Array(String(repeating: "[[a]]\nb = 1\n", count: count).utf8)
            return try ThreadTime.of {
                let table = try TOMLReader.table(bytes)
                if case .array(let tables)? = table.members?.first?.value.content {
                    #expect(tables.count == count && tables.last?.line == 2 * count - 1)
                } else {
                    Issue.record("no list")
                }
            }
        }
        let small = try (0..<3).map { _ in try cost(2_000) }.min() ?? 0
        // 32 times as many: 32 times the time, or 1024 times if it were the square.
        #expect(try cost(64_000) < 150 * small)
    }
}
