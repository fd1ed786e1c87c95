// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCLI

/// Completions by position; Scripts/completions.py tests them in the shells.
@Suite struct CompletionTests {
    private func words(_ line: String...) -> [String] {
        let files = ["./client.pem": "", "./cat.png": "", "./.hidden": "", "sub/inner.txt": ""]
        return Completion(line, in: .of(files: files)).candidates.map(\.word)
    }

    @Test("names are escaped: a line end in one makes no other candidate")
    func escaped() {
        let files = ["./a\nrm\u{1B}[31m": "", "./ab": ""]
        let lines = Completion(["--cert", "a"], in: .of(files: files)).lines
        #expect(lines == "a\\u000arm\\u001b[31m\nab")
    }

    @Test("commands and methods, in the case of their beginning")
    func starts() {
        #expect(words("dow") == ["download"])
        #expect(words("pa") == ["patch"])
        #expect(words("PA") == ["PATCH"])
        #expect(words("help", "exit") == ["exit-codes"])
        #expect(words("completions", "z") == ["zsh"])
    }

    @Test("the options of the current command, and their known values")
    func options() {
        #expect(words("--sty") == ["--style"])
        #expect(words("download", "--check") == ["--checksum"])
        #expect(words("--check") == [])
        #expect(words("--style", "da") == ["dark"])
        #expect(words("--style=da") == ["--style=dark"])
        #expect(words("-A", "bea") == ["bearer"])
        #expect(words("--timeout", "") == [])
        #expect(words("--", "--sty") == [])
        #expect(words("--no-sor") == ["--no-sorted"] && words("--follo") == ["--follow"])
        #expect(words("services", "re") == ["remove"])
    }

    @Test("files after @ and after options that take one; hidden ones if their beginning is given")
    func files() {
        #expect(words("--cert", "cl") == ["client.pem"])
        #expect(words("-f", ":3000/", "photo@ca") == ["photo@cat.png"])
        #expect(words(":3000/", "@.h") == ["@.hidden"])
        #expect(!words(":3000/", "@").contains("@.hidden"))
        #expect(words("--verify", "").prefix(2) == ["yes", "no"])
        #expect(words("-a", "@cl") == ["@client.pem"])
        #expect(words("services", "import", "cl") == ["client.pem"])
        #expect(words("services", "import", "--name", "x", "cl") == ["client.pem"])
        #expect(words("call", "shop", "order", "photo@ca") == ["photo@cat.png"])
    }

    @Test("header fields after the URL, and their common values")
    func headers() {
        #expect(words(":3000/", "Cache") == ["Cache-Control:"])
        #expect(words(":3000/", "cache") == ["cache-Control:"])
        #expect(words("put", ":3000/", "Accept:text/h") == ["Accept:text/html"])
        #expect(words("put", "Cache") == [])
    }

    @Test("the manual has every command and option, and no accidental requests to troff")
    func manual() {
        let page = ManualPage.text
        for word in ["CUMULUS DOWNLOAD", "\\-\\-checksum", "\\-\\-style", "EXIT CODES", "ENVIRONMENT"] {
            #expect(page.contains(word), "\(word)")
        }
        let macros: Set<String> = ["TH", "SH", "SS", "PP", "TP", "B", "br", "\\\""]
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect(macros.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
        }
    }

    @Test("each option of a command is listed with its value")
    func listing() {
        let page = HelpPage(.of(.request), columns: 100).text + HelpPage(HelpTopic.subjects[5], columns: 100).text
        #expect(page.contains("\n  -a, --auth <user:pass>  "), "\(page)")
        for row in OptionTable.rows {
            let names = ManualPage.text.components(separatedBy: "\\-\\-\(row.name.replacing("-", with: "\\-"))")
            #expect(names.count > 1, "\(row.name)")
        }
    }

    @Test("the manual prints each option once")
    func manualOptions() {
        let lines = ManualPage.text.split(separator: "\n").map { $0.replacing("\\", with: "") }
        for row in OptionTable.rows {
            let entry = ".B \"\(row.spellings.joined(separator: ", "))\(row.valueName.map { " <\($0)>" } ?? "")\""
            #expect(lines.count { $0 == entry } == 1, "\(entry)")
        }
    }
}
