// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// Help, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct HelpProgramTests {
    private func text(_ arguments: String..., columns: Int = 80) async throws -> String {
        try await text(arguments, columns: columns)
    }

    private func text(_ arguments: [String], columns: Int = 80) async throws -> String {
        let program = try BuiltProgram(arguments, shell: "COLUMNS=\(columns) exec \"$@\"")
        try program.write()
        let end = try await program.end()
        #expect(end.status == 0 && end.notes.isEmpty, "\(end.notes)")
        return end.output
    }

    /// Whether a line is only a command, which can't be wrapped if it is wider than the terminal.
    private func isWholeCommand(_ line: String) -> Bool {
        (line.hasPrefix("  cumulus ") || line.hasPrefix("  tar ")) && !line.dropFirst(2).contains("  ")
    }

    private static let commands = Subcommand.words.filter { $0 != "help" }
    private static let lines: [[String]] = [[]] + commands.map { [$0] }
    private static let pages: [[String]] =
        [["--help"]] + commands.map { [$0, "--help"] } + HelpTopic.names.map { ["help", $0] }

    /// Each page in each width, or in one of the widths by turns.
    private static func views(_ widths: [Int]) -> [(page: [String], columns: Int)] {
        pages.enumerated().flatMap { number, page in
            widths.enumerated().filter { SlowTests.areWanted || $0.offset == number % widths.count }
                .map { (page: page, columns: $0.element) }
        }
    }

    @Test("help fits the width, and has no trailing spaces", arguments: views([60, 80, 100]))
    func width(page: [String], columns: Int) async throws {
        let program = try BuiltProgram(page, shell: "COLUMNS=\(columns) exec \"$@\"")
        try program.write()
        let lines = try await program.end().output.components(separatedBy: "\n")
        #expect(lines.count > 3)
        let wide = lines.filter { $0.count > columns && !isWholeCommand($0) }
        #expect(wide.isEmpty, "\(columns): \(wide)")
        #expect(!lines.contains { $0.hasSuffix(" ") }, "\(lines)")
    }

    @Test("help is there in the narrowest terminal", arguments: views([1, 20, 26]))
    func narrow(page: [String], columns: Int) async throws {
        let program = try BuiltProgram(page, shell: "COLUMNS=\(columns) exec \"$@\"")
        try program.write()
        let end = try await program.end()
        #expect(end.status == 0 && !end.output.isEmpty, "\(end)")
    }

    @Test("help ends with examples, exit codes and the environment")
    func ends() async throws {
        let help = try await text("help", "request")
        let places = ["\nITEMS\n", "\nREQUEST\n", "\nOUTPUT\n", "\nEXAMPLES\n", "\nEXIT CODES\n", "\nENVIRONMENT\n"].map
        {
            help.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        for code in CommandStatus.allCases { #expect(help.contains("\n  \(code.rawValue) ")) }
        #expect(help.contains("NO_COLOR") && help.contains("CLICOLOR_FORCE"))
        let download = try await text("download", "--help").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(download.contains("(default: up to 6"))
    }

    @Test("cumulus help shows its topics; another word gets their names")
    func topics() async throws {
        #expect(try await text("help") == text("--help"))
        #expect(try await text("help", "download") == text("download", "--help"))
        #expect(try await text("help", "exit-codes").hasPrefix("EXIT CODES\n  0"))
        let program = try BuiltProgram(["help", "nonsense"])
        try program.write()
        let end = try await program.end()
        #expect(end.status == 64)
        #expect(end.notes.contains("hint: topics: request, download, upload"))
        let misspelt = try BuiltProgram(["help", "hedaers"])
        try misspelt.write()
        #expect(try await misspelt.end().notes.contains("hint: did you mean cumulus help headers?"))
        #expect(try await text("help", "exit", "codes") == text("help", "exit-codes"))
        #expect(try await text("help", "--timeout").contains("--timeout <seconds>"))
    }

    @Test("cumulus --help fits a screen", arguments: [80, 100])
    func overview(columns: Int) async throws {
        let help = try await text(["--help"], columns: columns)
        #expect(help.components(separatedBy: "\n").count <= 48)
        #expect(help.contains("\nCOMMON OPTIONS\n") && help.contains("\nCOMMANDS\n") && help.contains("\nEXAMPLES\n"))
    }

    @Test("a command's own options come first, and the shared ones are only named")
    func ownOptions() async throws {
        let help = try await text("help", "download")
        let lines = help.components(separatedBy: "\n")
        let first = try #require(lines.firstIndex { $0.contains("--continue") })
        #expect(first < 40 && lines.count < 80, "\(help)")
        #expect(help.contains("--timeout, ") && !help.contains("--timeout <seconds>"), "\(help)")
    }

    @Test("-h alone is help", arguments: lines)
    func shortOption(command: [String]) async throws {
        let help = try await text(command + ["-h"])
        #expect(help.hasPrefix("USAGE\n") || help.contains("\nUSAGE\n"))
        #expect(try await text(command + ["--help"]) == help)
    }

    @Test(
        "-h is help wherever no response is printed, whatever else is on the line",
        arguments: [
            ["download", "http://127.0.0.1:1/", "-o", "f"], ["edit", "http://127.0.0.1:1/"], ["login", "a.test"],
            ["logout", "a.test"], ["services", "list"],
            ["config", "show"], ["trust", "--yes"], ["completions", "bash"],
        ]
    )
    func shortOptionOfOthers(line: [String]) async throws {
        let help = try await text(line[0], "--help")
        #expect(try await text(line + ["-h"]) == help)
        #expect(try await text([line[0], "-h"] + Array(line.dropFirst())) == help)
        #expect(try await text("help", line[0], "-h") == help)
        #expect(line[0] == "completions" || help.contains("\n  -h, --help  "), "\(help)")
    }

    @Test("with a URL, -h prints the response's headers")
    func headers() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("up", to: "f")
        try await withLoopbackServer(routes: { $0.on(nil, "/x") { _ in .text("the body") } }) { server in
            for line in [["\(server.url)/x"], ["get", "\(server.url)/x"], ["upload", file, "\(server.url)/x"]] {
                let program = try BuiltProgram(line + ["-h"])
                try program.write()
                let end = try await program.end()
                #expect(end.status == 0 && end.output.hasPrefix("HTTP/1.1 200 OK\n"), "\(end)")
                #expect(!end.output.contains("the body"))
            }
        }
        for topic in ["request", "upload", "call"] {
            #expect(try await text("help", topic).contains("-h, --headers  "))
        }
    }

    @Test("help that is longer than the terminal goes through the pager")
    func paged() async throws {
        let end = try await TerminalProgram(["help", "request"], environment: ["CUMULUS_PAGER": "sed s/^/P:/"]).end()
        #expect(end.status == 0 && end.text.hasPrefix("P:cumulus sends"), "\(end)")
        let short = try await TerminalProgram(["--version"], environment: ["CUMULUS_PAGER": "sed s/^/P:/"]).end()
        #expect(short.text == "\(Invocation.version)\n", "\(short)")
    }

    @Test("help on a terminal has the terminal's width", arguments: HelpTopic.names)
    func terminal(topic: String) async throws {
        let end = try await TerminalProgram(["help", topic], columns: 50).end()
        #expect(end.status == 0 && !end.text.isEmpty)
        #expect(topic != "request" || end.text.contains("\nENVIRONMENT\n"))
        let wide = end.text.components(separatedBy: "\n").filter { $0.count > 50 && !isWholeCommand($0) }
        #expect(wide.isEmpty, "\(wide)")
    }
}
