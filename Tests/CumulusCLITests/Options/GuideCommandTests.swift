// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCLI

/// The command lines that the guide shows beside curl's can be parsed.
@Suite struct GuideCommandTests {
    private static let certificate = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"
    private static let files = [
        "notes.txt": "clouds", "cat.png": "cat", "authority.pem": certificate, "cookies.txt": "",
        "me.pem": certificate + "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
    ]

    /// The third column of the table in `ComingFromCurl.md`.
    private static func commands() throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = root.appending(path: "Sources/CumulusCore/CumulusCore.docc/ComingFrom/ComingFromCurl.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        return lines.filter { $0.hasPrefix("| ") }.compactMap { line in
            line.components(separatedBy: " | ").last.flatMap { cell in
                let command = cell.split(separator: "`").first.map(String.init) ?? ""
                return command.hasPrefix("cumulus ") ? String(command.dropFirst(8)) : nil
            }
        }
    }

    @Test func eachCommandIsUnderstood() throws {
        let commands = try Self.commands()
        #expect(commands.count > 30)
        let netrc = FileManager.default.temporaryDirectory.appending(path: "cumulus-netrc-\(UUID())").path
        let entry = Data("machine api.example.com login ada password lovelace\n".utf8)
        let isWritten = FileManager.default.createFile(
            atPath: netrc,
            contents: entry,
            attributes: [.posixPermissions: 0o600]
        )
        #expect(isWritten)
        defer { try? FileManager.default.removeItem(atPath: netrc) }
        let surroundings = Surroundings.of(
            environment: ["NETRC": netrc, "TOKEN": "t1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"],
            files: Self.files
        )
        for command in commands {
            let words = try BuiltProgram.words(of: "x x \(command)").map {
                $0 == "URL" ? "https://api.example.com/posts" : $0
            }
            let found = mistake(words, in: surroundings)
            #expect(found == nil, "cumulus \(command): \(String(describing: found))")
        }
    }
}
