// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusYAML
import Testing

@testable import CumulusCLI

/// The forms of `--as`.
@Suite struct ResultFormTests {
    private func text(_ form: TableFormat, of json: String, _ change: (inout OutputPlan) -> Void = { _ in }) throws
        -> String
    {
        var style = OutputPlan(parts: .responseBody, formats: false, colors: false, isTerminal: false)
        change(&style)
        return String(decoding: try ResultForm(form, style: style).text(of: [try JSON(parsing: json)]), as: UTF8.self)
    }

    @Test("CSV has a column for each name, and quotes characters that would end a field")
    func csv() throws {
        let json = #"[{"id":1,"name":"Ada, \"A\""},{"name":"two\nlines","tags":["x"],"on":true},{"id":null}]"#
        let csv = try text(.csv, of: json)
        #expect(csv.hasPrefix("id,name,tags,on\r\n1,\"Ada, \"\"A\"\"\",,\r\n"))
        #expect(csv.hasSuffix("\r\n,\"two\nlines\",\"[\"\"x\"\"]\",true\r\n,,,\r\n"), "\(csv)")
        #expect(try text(.csv, of: "[]") == "")
        #expect(
            try text(.csv, of: #"[{"a":{"b":1,"c":{}},"d":2},{"a":{"b":3},"a.b":4}]"#)
                == "a.b,a.c,d,a\r\n1,{},2,\r\n4,,,\"{\"\"b\"\":3}\"\r\n"
        )
        #expect(try text(.csv, of: "[null,5]") == "value\r\n\"\"\r\n5\r\n")
    }

    @Test("a table is aligned, with numbers on the right, and contains no terminal controls")
    func table() throws {
        let json = #"[{"n":1.50,"name":"Ada"},{"n":12,"name":"\u001b[31mred\nx"}]"#
        let table = try text(.table, of: json)
        #expect(
            table == "   n  name\n----  --------------------\n1.50  Ada\n  12  \\u001b[31mred\\u000ax\n",
            "\(table)"
        )
    }

    @Test("a table fits the terminal: its widest columns are cut")
    func narrow() throws {
        let long = String(repeating: "x", count: 100_000)
        let table = try text(.table, of: #"[{"id":1,"a":"\#(long)","b":"\#(long)"}]"#) {
            $0.tableWidth = 40
            $0.isUnicode = true
        }
        let lines = table.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 40 }, "\(table)")
        #expect(table.contains("\u{2026}"))
    }

    @Test("a nested member is a cell if another member has a name like its column's")
    func sharedColumnNames() throws {
        let text = try text(.csv, of: #"[{"a":{"b":1},"a.b":2,"c":{"d":3},"c-d.e":4}]"#)
        #expect(text == "a,a.b,c.d,c-d.e\r\n\"{\"\"b\"\":1}\",2,3,4\r\n", "\(text)")
        let many = "{" + (0..<20_000).map { #""a\#($0)":{"b":1}"# }.joined(separator: ",") + "}"
        #expect(throws: FormProblem.self) { try self.text(.csv, of: many) }
    }

    @Test("more columns than a table can show are an error, which names the form that can")
    func tooManyColumns() throws {
        let objects = "[" + (0..<20_000).map { "{\"k\($0)\":1}" }.joined(separator: ",") + "]"
        for form in [TableFormat.csv, .table] {
            #expect(throws: FormProblem(form: form, reason: "there are more than 1000 names")) {
                try text(form, of: objects)
            }
        }
        #expect(try text(.json, of: objects).utf8.count == objects.utf8.count + 1)
        let problem = "\(FormProblem(form: .csv, reason: "x"))"
        #expect(problem == "--as csv can't show this data: x; --as json prints everything")
    }

    @Test("empty cells and indentation can't inflate the output")
    func inflation() throws {
        let names = (0..<900).map { "{\"k\($0)\":1}" }.joined(separator: ",")
        let sparse = "[" + names + "," + Array(repeating: "{\"k1\":1}", count: 5_000).joined(separator: ",") + "]"
        #expect(throws: FormProblem.self) { try text(.csv, of: sparse) }
        #expect(throws: FormProblem.self) { try text(.table, of: sparse) }
        let deep = String(repeating: "[", count: 60) + Array(repeating: "1", count: 100_000).joined(separator: ",")
        #expect(throws: FormProblem.self) { try text(.yaml, of: deep + String(repeating: "]", count: 60)) }
        // The same sizes as a table that isn't sparse.
        let dense = "[" + Array(repeating: "{\"a\":1,\"b\":\"x\"}", count: 5_000).joined(separator: ",") + "]"
        #expect(try text(.csv, of: dense).utf8.count == 5_001 * 5)
        #expect(try text(.table, of: dense).utf8.count == 5_002 * 5)
    }

    @Test("a huge cell makes its own line long, and no other")
    func hugeCell() throws {
        let huge = String(repeating: "x", count: 1_000_000)
        let rows = Array(repeating: #"{"a":"y","b":"z"}"#, count: 5_000).joined(separator: ",")
        let table = try text(.table, of: #"[{"a":"\#(huge)","b":"z"},\#(rows)]"#)
        let lines = table.split(separator: "\n")
        #expect(lines.count == 5_003)
        #expect(lines[2].utf8.count == 1_000_003 && lines[3].utf8.count == 67)
    }

    @Test("the widths of a thousand columns are found at once")
    func manyColumns() throws {
        let members = (0..<1_000).map { "\"k\($0)\":\"\(String(repeating: "x", count: $0))\"" }
        let table = try text(.table, of: "{\(members.joined(separator: ","))}") { $0.tableWidth = 12_000 }
        let lines = table.split(separator: "\n")
        #expect(lines.count == 3 && DisplayWidth.of(lines[1]) == 12_000)
    }

    @Test("a cancelled task stops between rows")
    func cancellation() async throws {
        let rows = [JSON](repeating: ["a": 1], count: 10)
        for form in [TableFormat.csv, .table, .yaml] {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let style = OutputPlan(parts: .responseBody, formats: false, colors: false, isTerminal: false)
                return try ResultForm(form, style: style).text(of: rows)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("YAML means the same: ambiguous texts are quoted")
    func yaml() throws {
        let json = #"{"a":[{"b":"plain text","c":["1",null,{}]}, "yes"],"no":"- x","e":"","t":"a: b\n","d":1.0}"#
        let yaml = """
            a:
              - b: plain text
                c:
                  - "1"
                  - null
                  - {}
              - "yes"
            "no": "- x"
            e: ""
            t: "a: b\\n"
            d: 1.0

            """
        #expect(try text(.yaml, of: json) == yaml)
        #expect(try text(.yaml, of: #"["x",[[1,2]]]"#) == "- x\n-\n  -\n    - 1\n    - 2\n")
    }

    @Test(
        "YAML is read back as the same text",
        arguments: [
            "\u{2028}", "\u{2029}a", "a\u{85}b", "\u{7F}\u{80}\u{9F}", "a\u{FFFE}\u{FFFF}", "\u{0}\u{1B}\u{1F}",
            "\t\r\n", "\"\\/", "\u{1F600}", "\u{A0}", "=", "<<", "~", "1:30", "0o7", "0x1F", "1_000", "y", "NO", ".5",
            "a: b", "a #b", "- a", "? a", "%a", "@a", "`a", "!a", "&a", "*a", "|", ">", "---", "...", "a ", " a", "",
            String(repeating: "long ", count: 500), "2026-11-23", "null", "Inf", ".nan",
        ]
    )
    func yamlTexts(_ sample: String) throws {
        let nested = (0..<70).reduce(JSON.object([sample: .string(sample)])) { value, _ in [value] }
        for value in [JSON.string(sample), [.string(sample)], .object([sample: .string(sample)]), nested] {
            let yaml = try text(.yaml, of: "\(value)")
            #expect(try JSON(parsingYAML: yaml) == value, "\(yaml)")
            // Version 1.1 ends lines here, and doesn't allow the others.
            let isPrintable = yaml.unicodeScalars.allSatisfy {
                !(0x7F...0x9F ~= $0.value) && ![0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF].contains($0.value)
            }
            #expect(isPrintable)
        }
    }

    @Test("a byte order mark in YAML is escaped, since readers drop it")
    func yamlMark() throws {
        #expect(try text(.yaml, of: #"["\ufeffx"]"#) == "- \"\\ufeffx\"\n")
    }

    @Test("a long key of YAML has a question mark, and any value")
    func yamlKeys() throws {
        let key = String(repeating: "k", count: 2_000)
        for value in [JSON.null, [1, 2], ["a": [["b": 1]]], "x"] {
            let object = JSON.object([key: value, "after": [.object([key: value])]])
            let yaml = try text(.yaml, of: "\(object)")
            #expect(yaml.hasPrefix("? \(key)\n:"))
            #expect(try JSON(parsingYAML: yaml) == object, "\(yaml)")
        }
    }

    @Test(
        "a number of YAML is a number in version 1.1 too",
        arguments: [
            ("1E5", "1.0e+5"), ("1e400", "1.0e+400"), ("-1.5e10", "-1.5e+10"), ("2e-7", "2.0e-7"), ("1.5E+3", "1.5e+3"),
            ("1.50", "1.50"), ("-0", "-0"), ("123456789012345678901234567890", "123456789012345678901234567890"),
        ]
    )
    func yamlNumbers(json: String, yaml: String) throws {
        #expect(try text(.yaml, of: json) == "\(yaml)\n")
        #expect(try text(.yaml, of: "{\"a\":[\(json)]}") == "a:\n  - \(yaml)\n")
    }

    @Test("JSON of several values is one list")
    func json() throws {
        #expect(try text(.json, of: #"{"a":[1,2]}"#) == "{\"a\":[1,2]}\n")
        let style = OutputPlan(parts: .responseBody, formats: false, colors: false, isTerminal: false)
        #expect(try ResultForm(.json, style: style).text(of: [1, 2]) == Array("[1,2]\n".utf8))
    }
}
