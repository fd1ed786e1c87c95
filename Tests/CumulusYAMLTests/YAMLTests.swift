// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusYAML
import Testing

@Suite struct YAMLTests {
    @Test func scalarsMeanWhatTheCoreSchemaSays() throws {
        let text = """
            texts: [no, on, 2026-11-22, "5", 'true', 1.2.3, 0x, -, .]
            numbers: [5, -5, 007, 0x1F, 0o17, 1.5, .5, 5., 1e3, +3]
            others: [~, null, true, False]
            block: |
              two
              lines
            """
        let json = try JSON(parsingYAML: text)
        #expect(json["texts"] == ["no", "on", "2026-11-22", "5", "true", "1.2.3", "0x", "-", "."])
        #expect(json["numbers"] == [5, -5, 7, 31, 15, 1.5, 0.5, 5.0, 1000, 3])
        #expect(json["others"].array?.first == .null && json["others"].array?.last == false)
        #expect(json["block"] == "two\nlines")
        #expect(json.object?.map(\.key) == ["texts", "numbers", "others", "block"])
    }

    @Test(arguments: [
        "", "a: b: c", "[", "a: 1\na: 2", "--- a\n--- b", "? [a]\n: b", "a: *nowhere", "a: &x {b: 1}\nc:\n  <<: *x",
        "a: &x [1]\n? *x\n: 1", "a: &x [1]\nb: {[*x, *x]: 1}", "a: &x [1]\n*x : 2", "a: &x [1]\n/b: [*x]\n? [*x]\n: 1",
    ])
    func whatIsNoDocumentIsRefused(text: String) {
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: text) }
    }

    @Test func aliasesAreFollowedUpToABound() throws {
        let shared = try JSON(parsingYAML: "a: &x [1, 2]\nb: *x")
        #expect(shared["b"] == [1, 2])
        var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            let alias = "*a\(level - 1)"
            bomb += "a\(level): &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ", "))]\n"
        }
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: bomb) }
    }

    @Test("what aliases repeat is counted in bytes, of keys, too")
    func aliasesOfLongTexts() throws {
        let long = String(repeating: "x", count: 30_000)
        let few = try JSON(
            parsingYAML: "a: &x \(long)\nb: [\(Array(repeating: "*x", count: 30).joined(separator: ", "))]"
        )
        #expect(few["b"].array?.count == 30)
        let many = "a: &x \(long)\nb: [\(Array(repeating: "*x", count: 3_000).joined(separator: ", "))]"
        let keys =
            "a: &x {\(long.prefix(1_000)): 1}\nb: [\(Array(repeating: "*x", count: 3_000).joined(separator: ", "))]"
        for text in [many, keys] {
            let problem = #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: text) }
            #expect(problem?.description == "line 2: aliases make the document too long")
        }
    }

    @Test func whatIsWrongIsNamedWithItsLine() {
        let problems = [
            ("a: 1\nb: 2\na: 3", "line 3: the key \"a\" occurs twice"),
            ("a: &x [1]\n*x : 1", "line 2: a key is not a scalar"), ("? [a]\n: b", "line 1: a key is not a scalar"),
            ("a: 1\nb: *c", "line 2: the alias \"c\" has no anchor"),
            ("a: &x {b: *x}", "line 1: the alias \"x\" is inside the value that it refers to"),
            ("a: &x {}\nb:\n  <<: *x", "line 3: merge keys (<<) are not supported"),
            ("a\n---\nb", "line 2: the text contains a second document"),
            (
                "a: b: c",
                "line 1: invalid YAML: \": \" can't be in a value on this line; write quotes around the string"
            ),
            ("a: \u{1}", "line 1: invalid YAML: control characters are not allowed"),
            ("# nothing", "the text contains no YAML document"),
        ]
        for (text, problem) in problems {
            let error = #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: text) }
            #expect(error?.description == problem)
        }
    }

    @Test func tagsAndAliasesDecideWhatAScalarIs() throws {
        let json = try JSON(
            parsingYAML: "- !!str 5\n- ! 5\n- !!int 5\n- &x 5\n- *x\n- {*x : 1, &y b: *x, c: *y}\n- '<<': a"
        )
        #expect(json.array?.prefix(5) == ["5", "5", 5, 5, 5] && json[6] == ["<<": "a"])
        #expect(json[5].object?.map(\.key) == ["5", "b", "c"] && json[5]["b"] == 5 && json[5]["c"] == "b")
    }

    /// The beginning of a document with nine aliases.
    private static let nine = "a: &x [1]\nb: [\(Array(repeating: "*x", count: 9).joined(separator: ", "))]\n"

    @Test(
        "Keys that are made of aliases are refused before anyone compares them",
        arguments: [
            "? [*x]\n: 1", "{a: *x}: 1", "c: {[*x]: 1}", "c: {\"}\":\n *x}: 1", "c: [\"]\",{*x : 1}: 2]",
            "c: {d: *x, e: \"\n x{\" }: 1", "c: [\n /a{*x : 1}: 2]", "*x : 1", "- ? *x",
            "c: {b: \"'\", a: 'x}\n ', *x}: 1", "c: {a: x #}\n , *x}: 1", "c: {a: !<}> x\n , *x}: 1",
        ]
    )
    func keys(text: String) {
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: Self.nine + text) }
    }

    @Test func bracesInPathsAndStarsInProseAreNeither() throws {
        let text = """
            /users/{id}:
              get: &x [a, b]
              description: |
                **bold** *words*, R &D and [a link](x)
            /v1/{name=shelves/*}:cancel: [*x, *x, *x, *x, *x, *x, *x, *x, *x, *x]
            /items/{a}/{b}: {c: [d, e]}
            """
        let json = try JSON(parsingYAML: text)
        #expect(json.object?.map(\.key) == ["/users/{id}", "/v1/{name=shelves/*}:cancel", "/items/{a}/{b}"])
        #expect(json["/v1/{name=shelves/*}:cancel"].array?.count == 10)
    }

    @Test(arguments: [200, 5_000, 200_000])
    func depthIsBounded(depth: Int) {
        let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: brackets) }
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: String(repeating: "- ", count: depth) + "a") }
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: String(repeating: "{a: ", count: depth)) }
    }

    @Test func deepIndentationIsBounded() {
        let lines = (0..<400).map { String(repeating: " ", count: $0) + "a:" }
        #expect(throws: YAMLProblem.self) { try JSON(parsingYAML: lines.joined(separator: "\n")) }
    }

    @Test func descriptionsAreRead() throws {
        let text = """
            name: Blog
            baseURL: https://blog.example/api
            authorization: [bearer]
            endpoints:
              - name: post
                template: posts/{id}
              - {name: create, method: POST, template: posts, parameters: [{name: title, in: body, required: true}]}
            """
        let service = try ServiceDescription(yaml: text)
        #expect(service.endpoints.map(\.name) == ["post", "create"])
        #expect(service["create"]?.parameters.first?.place == .body)
        #expect {
            _ = try ServiceDescription(yaml: "baseURL: https://a.example\nendpoints: [{name: a}]")
        } throws: { error in
            (error as? ServiceProblems)?.problems.map(\.place) == ["endpoints[0].template"]
        }
        #expect {
            _ = try ServiceDescription(yaml: "[")
        } throws: { error in
            (error as? ServiceProblems)?.problems.map(\.reason) == [.unreadable]
        }
    }
}
