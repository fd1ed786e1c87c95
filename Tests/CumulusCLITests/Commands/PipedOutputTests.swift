// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// The output of commands that print no response, in pipes and where it can't be written, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct PipedOutputTests {
    private static let configuration = "[defaults]\nmax-time = 20\ntimeout = 10\n"
    private static let service = """
        {"name": "tea", "baseURL": "http://127.0.0.1:9", "endpoints": [{"name": "a", "template": "a"}]}
        """

    /// The lines, with the first one of their output; none needs a server.
    private static let lines: [(line: [String], first: String)] = [
        (["config", "show"], "max-time = 20"), (["config", "show", "--origin"], "max-time = 20"),
        (["config", "path"], "/"), (["services", "list"], "SERVICE"), (["services", "show", "tea"], "tea"),
        (["services", "verify", "tea"], "tea: 1 endpoint,"), (["services", "completion", "bash"], "_cumulus"),
        (["completions", "man"], ".\\\""), (["completions", "zsh"], "#compdef"),
        (["help"], "USAGE"), (["--version"], "cumulus "), (["--explain-exit", "13"], "13: "),
        (["--offline", "http://a.test/x"], "GET /x"), (["--curl", "http://a.test/x"], "curl "),
    ]

    /// Runs a line; `shell` has the command and its arguments as `"$@"`.
    private func run(_ arguments: [String], _ shell: String) async throws -> BuiltProgram.End {
        let home = try ConfigurationHome(Self.configuration)
        try home.make("config/cumulus/services")
        try home.write(Self.service, to: "config/cumulus/services/tea.json")
        let folder = home.folder.path
        let own = "HOME='\(folder)' XDG_CONFIG_HOME='\(folder)/config' XDG_STATE_HOME='\(folder)/state'"
        let program = try BuiltProgram(arguments, shell: "export \(own); cd '\(folder)/work'; \(shell)")
        try program.write()
        return try await program.end()
    }

    @Test("a reader may leave after the first line, which is no error", arguments: lines)
    func firstLine(line: [String], first: String) async throws {
        let end = try await run(line, #"{ "$@"; echo "status $?" >&2; } | head -1"#)
        #expect(end.output.hasPrefix(first) && end.output.utf8.filter { $0 == 0x0A }.count == 1, "\(end.output)")
        #expect(end.notes == "status 0\n")
    }

    @Test("13: a standard output that is closed, or open for reading only, is reported", arguments: lines)
    func closed(line: [String], first: String) async throws {
        for redirection in [">&-", "1</dev/null"] {
            let end = try await run(line, #""$@" \#(redirection)"#)
            #expect(end.status == CommandStatus.disk.rawValue && end.output.isEmpty)
            #expect(end.notes == "cumulus: disk: standard output can't be written: it is not open for writing\n")
        }
    }

    @Test("13: a full standard output is reported", .enabled(if: BuiltProgram.hasFullDevice), arguments: lines)
    func full(line: [String], first: String) async throws {
        let end = try await run(line, #""$@" >/dev/full"#)
        #expect(end.status == CommandStatus.disk.rawValue)
        #expect(end.notes == "cumulus: disk: standard output can't be written: No space left on device\n")
    }
}
