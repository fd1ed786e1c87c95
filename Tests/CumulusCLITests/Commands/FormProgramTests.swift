// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// Forms, styles and the pager, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct FormProgramTests {
    private static let people = #"{"items":[{"id":1,"name":"Ada"},{"id":22,"name":"Bob"}]}"#
    private static let lines = (1...100).map { "line \($0)\n" }.joined()

    private func run(_ arguments: String...) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments)
        try program.write()
        return try await program.end()
    }

    private func show(
        _ arguments: String...,
        environment: [String: String] = [:]
    ) async throws -> (status: Int32, text: String) {
        try await TerminalProgram(arguments, environment: environment).end()
    }

    private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/people") { _ in .json(FormProgramTests.people) }
                routes.get("/page") { _ in .json(#"[{"id":1},{"id":2}]"#) }
                routes.get("/text") { _ in .text(FormProgramTests.lines) }
                routes.get("/short") { _ in .text("short\n") }
                routes.get("/bad") { _ in .json(FormProgramTests.people, status: .badRequest) }
            },
            body
        )
    }

    @Test("--as prints lists as JSON, YAML, CSV and a table; an error response is printed whole")
    func forms() async throws {
        try await withServer { server in
            let url = "\(server.url)/people"
            #expect(try await run(url, "--filter", ".items", "--as", "csv").output == "id,name\r\n1,Ada\r\n22,Bob\r\n")
            #expect(
                try await run(url, "--filter", ".items[]", "--as=table").output
                    == "id  name\n--  ----\n 1  Ada\n22  Bob\n"
            )
            #expect(try await run(url, "--filter", ".items[].name", "--as", "json").output == "[\"Ada\",\"Bob\"]\n")
            let yaml = try await run(url, "--as", "yaml")
            #expect(yaml.output == "items:\n  - id: 1\n    name: Ada\n  - id: 22\n    name: Bob\n")
            #expect(try await run("\(server.url)/bad", "--as", "csv").output == FormProgramTests.people)
            #expect(try await run("\(server.url)/page", "--pages", "1", "--as", "csv").output == "id\r\n1\r\n2\r\n")
            let text = try await run("\(server.url)/short", "--as", "csv")
            #expect(text.status == 1 && text.notes.contains("--as needs JSON"), "\(text.notes)")
            #expect(try await run(url, "--as", "html").status == 64)
        }
    }

    @Test("--style changes the colors")
    func styles() async throws {
        try await withServer { server in
            let url = "\(server.url)/people"
            let usual = try await run("--pretty=colors", url)
            #expect(usual.output.contains("\u{1B}[34m\"items\"\u{1B}[0m"))
            #expect(try await run("--pretty=colors", "--style=theme", url).output == usual.output)
            #expect(try await run("--pretty=colors", "--style=dark", url).output.contains("\u{1B}[38;5;111m\"items\""))
            #expect(try await run("--pretty=colors", "--style=light", url).output.contains("\u{1B}[38;5;19m\"items\""))
            #expect(try await run("--pretty=colors", "--style=mono", url).output.contains("\u{1B}[1m\"items\""))
            #expect(try await run("--style=dark", url).output == FormProgramTests.people)
            #expect(try await run("--style=pink", url).status == 64)
        }
    }

    @Test("output longer than the screen is paged, on a terminal only")
    func pager() async throws {
        try await withServer { server in
            let pager = ["CUMULUS_PAGER": "sed 's/^/> /'"]
            let long = try await show("\(server.url)/text", environment: pager)
            #expect(long.status == 0)
            #expect(long.text.contains("> \u{1B}[34mHTTP/1.1") && long.text.contains("> line 100\n"), "\(long.text)")
            #expect(try await show("\(server.url)/short", environment: pager).text.contains("\nshort\n"))
            #expect(!(try await show("--no-pager", "\(server.url)/text", environment: pager)).text.contains("> "))
            let other = ["PAGER": "sed 's/^/+ /'"]
            let asked = try await TerminalProgram(["\(server.url)/text"], environment: other, unset: ["CUMULUS_PAGER"])
                .end()
            #expect(asked.text.contains("+ line 100\n"), "\(asked.text)")
            let piped = try BuiltProgram(["\(server.url)/text"], shell: #"CUMULUS_PAGER="sed 's/^/> /'" exec "$@""#)
            try piped.write()
            #expect(try await piped.end().output == FormProgramTests.lines)
        }
    }

    @Test("a pager that ends early ends the output; without one, the output is printed")
    func pagerEnds() async throws {
        try await withServer { server in
            let early = try await show("\(server.url)/text", environment: ["CUMULUS_PAGER": "head -n 3"])
            #expect(early.status == 0 && !early.text.contains("line 90"), "\(early.text)")
            let missing = try await show("\(server.url)/text", environment: ["CUMULUS_PAGER": "/nowhere/pager"])
            #expect(missing.status == 0 && missing.text.contains("can't be run"), "\(missing.text)")
            #expect(missing.text.contains("\nline 100\n"), "\(missing.text)")
        }
    }
}
