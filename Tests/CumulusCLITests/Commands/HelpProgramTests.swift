// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCLI

/// Help, with the built program.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isThere)) struct HelpProgramTests {
    private func text(_ arguments: String..., columns: Int = 80) async throws -> String {
        let program = try BuiltProgram(arguments, shell: "COLUMNS=\(columns) exec \"$@\"")
        try program.write()
        let end = try await program.end()
        #expect(end.status == 0 && end.notes.isEmpty, "\(end.notes)")
        return end.output
    }

    private static let pages = [
        ["--help"], ["download", "--help"], ["upload", "--help"], ["login", "--help"], ["logout", "--help"],
        ["help", "items"], ["help", "examples"], ["help", "exit-codes"], ["help", "environment"],
    ]

    @Test("help fits the width, and has no trailing spaces", arguments: pages)
    func width(page: [String]) async throws {
        for columns in [60, 80, 100] {
            let program = try BuiltProgram(page, shell: "COLUMNS=\(columns) exec \"$@\"")
            try program.write()
            let lines = try await program.end().output.components(separatedBy: "\n")
            #expect(lines.count > 3)
            for line in lines {
                // A command that is wider than the terminal can't be wrapped.
                let isOneWord = line.hasPrefix("  cumulus ") || line.hasPrefix("  tar ")
                #expect(line.count <= columns || isOneWord, "\(columns): \(line)")
                #expect(!line.hasSuffix(" "), "\(line)")
            }
        }
    }

    @Test("help is there in the narrowest terminal", arguments: pages, [1, 20, 26])
    func narrow(page: [String], columns: Int) async throws {
        let program = try BuiltProgram(page, shell: "COLUMNS=\(columns) exec \"$@\"")
        try program.write()
        let end = try await program.end()
        #expect(end.status == 0 && !end.output.isEmpty, "\(end)")
    }

    @Test("help ends with examples, exit codes and the environment")
    func ends() async throws {
        let help = try await text("--help")
        let places = ["\nITEMS\n", "\nREQUEST\n", "\nOUTPUT\n", "\nEXAMPLES\n", "\nEXIT CODES\n", "\nENVIRONMENT\n"].map
        {
            help.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        for code in CommandStatus.allCases { #expect(help.contains("\n  \(code.rawValue) ")) }
        #expect(help.contains("NO_COLOR") && help.contains("CLICOLOR_FORCE"))
        #expect(try await text("download", "--help").contains("(default: up to 6"))
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
        #expect(end.notes.contains("hint: topics: request, items, download"))
    }

    @Test("-h alone is help; with a URL it prints headers", arguments: [[], ["download"], ["upload"], ["login"]])
    func shortOption(command: [String]) async throws {
        let program = try BuiltProgram(command + ["-h"])
        try program.write()
        let end = try await program.end()
        #expect(end.status == 0)
        #expect(end.output.contains("\nUSAGE\n"))
    }

    @Test("help on a terminal has the terminal's width")
    func terminal() async throws {
        let end = try await TerminalProgram(["--help"], columns: 50).end()
        #expect(end.text.contains("\nENVIRONMENT\n"))
        let wide = end.text.components(separatedBy: "\n").filter { $0.count > 50 && !$0.hasPrefix("  cumulus ") }
        #expect(wide.isEmpty, "\(wide)")
    }
}
