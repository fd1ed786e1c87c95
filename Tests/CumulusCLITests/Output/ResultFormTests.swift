// SPDX-License-Identifier: Apache-2.0

import CumulusCore
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

    @Test("JSON of several values is one list")
    func json() throws {
        #expect(try text(.json, of: #"{"a":[1,2]}"#) == "{\"a\":[1,2]}\n")
        let style = OutputPlan(parts: .responseBody, formats: false, colors: false, isTerminal: false)
        #expect(try ResultForm(.json, style: style).text(of: [1, 2]) == Array("[1,2]\n".utf8))
    }
}
