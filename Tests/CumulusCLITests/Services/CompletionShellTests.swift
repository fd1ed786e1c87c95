// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// The completion scripts, in their shells.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct CompletionShellTests {
    private static let service = """
        {"name": "shop", "baseURL": "http://127.0.0.1:9", "endpoints": [
          {"name": "orders", "template": "orders", "parameters": [
            {"name": "sort", "values": ["up", "down"]}, {"name": "limit", "kind": "integer"},
            {"name": "gifts", "kind": "boolean"}]},
          {"name": "order", "template": "orders/{id}"},
          {"name": "$(touch oops)", "template": "x"}, {"name": "* ?", "template": "y"}]}
        """

    /// A shell's completions after `cumulus` and a line, one per line; `nil` if the shell is not installed.
    private func offers(_ shell: String, _ line: String, by script: String) async throws -> [String] {
        let home = try TemporaryFolder()
        let folder = "\(home.path)/cumulus/services"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.service.write(toFile: "\(folder)/shop.json", atomically: true, encoding: .utf8)
        let completion = try #require(CallCompletion.script(for: shell))
        try completion.write(toFile: "\(home.path)/completion", atomically: true, encoding: .utf8)
        try script.write(toFile: "\(home.path)/run", atomically: true, encoding: .utf8)
        let options = shell == "fish" ? "--no-config" : shell == "zsh" ? "-f" : "--norc"
        let start = """
            cd '\(home.path)' && mkdir bin && ln -s "$1" bin/cumulus && export HOME='\(home.path)' LINE='cumulus \(line)' \
            XDG_CONFIG_HOME='\(home.path)' PATH='\(home.path)/bin':"$PATH" && exec \(shell) \(options) run
            """
        let program = try BuiltProgram([], shell: start)
        try program.write()
        let end = try await program.end()
        #expect(end.status == 0 && end.notes.isEmpty, "\(end.notes)")
        #expect(!FileManager.default.fileExists(atPath: "\(home.path)/oops"))
        return end.output.split(separator: "\n").map(String.init)
    }

    private static func isThere(_ shell: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
        }
    }

    private static let lines: [(String, [String])] = [
        ("cal", ["call"]), ("call ", ["shop"]), ("call shop or", ["orders", "order"]),
        ("call shop orders ", ["sort=", "limit=", "gifts="]), ("call shop orders limit=3 s", ["sort="]),
        ("call shop orders x", []), ("call no ", []),
    ]

    @Test("bash", .enabled(if: isThere("bash")), arguments: lines)
    func bash(line: String, offered: [String]) async throws {
        #expect(try await offers("bash", line, by: Self.bash) == offered)
    }

    private static let bash = """
        source ./completion
        COMP_LINE="$LINE" COMP_POINT=${#LINE}
        _cumulus
        [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
        """

    @Test("bash inserts only the part after =", .enabled(if: isThere("bash")))
    func values() async throws {
        #expect(try await offers("bash", "call shop orders sort=u", by: Self.bash) == ["up"])
        #expect(try await offers("bash", "call shop orders gifts=", by: Self.bash) == ["true", "false"])
    }

    @Test("zsh", .enabled(if: isThere("zsh")), arguments: lines)
    func zsh(line: String, offered: [String]) async throws {
        // `compadd` needs the line editor; its arguments are the offers.
        let script = """
            compdef() { : }
            source ./completion
            compadd() { while [ "$1" != -- ]; do shift; done; shift; [ $# -eq 0 ] || print -rl -- "$@" }
            words=("${(@s: :)LINE}")
            CURRENT=${#words}
            _cumulus
            """
        let found = try await offers("zsh", line, by: script)
        #expect(Set(found) == Set(offered))
    }

    @Test("fish", .enabled(if: isThere("fish")), arguments: lines)
    func fish(line: String, offered: [String]) async throws {
        let script = "source ./completion\ncomplete -C $LINE\n"
        // fish also offers files.
        let files: Set = ["completion", "run", "bin/", "cumulus/", "fish/"]
        let found = try await offers("fish", line, by: script).filter { !files.contains($0) }
        #expect(Set(found) == Set(offered))
    }

    @Test("a name that a shell would execute remains a word", .enabled(if: isThere("bash")))
    func names() async throws {
        #expect(try await offers("bash", "call shop $", by: Self.bash) == [#"\$\(touch\ oops\)"#])
        #expect(try await offers("bash", "call shop *", by: Self.bash) == [#"\*\ \?"#])
    }
}
