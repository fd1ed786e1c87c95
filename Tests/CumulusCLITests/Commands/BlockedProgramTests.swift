// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// The built program with files that never end, and with signals while it can't be cancelled.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct BlockedProgramTests {
    /// Opens a named pipe for writing, once somebody has opened it for reading.
    private func openedPipe(_ path: String) async throws -> Int32 {
        while true {
            let number = open(path, O_WRONLY | O_NONBLOCK)
            if number >= 0 { return number }
            // There is no signal for a pipe's reader.
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test(
        "one signal ends it while it reads a pipe that nobody fills",
        arguments: [
            ["http://127.0.0.1:1/", "a=@"], ["download", "-i", ""], ["http://127.0.0.1:1/", "--verify", ""],
        ],
        [SIGINT, SIGTERM]
    )
    func blockedFile(_ words: [String], number: Int32) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let program = try BuiltProgram(words.dropLast() + [(words.last ?? "") + path])
        try program.write()
        let pipe = try await openedPipe(path)
        defer { close(pipe) }
        program.signal(number)
        let end = try await program.end()
        #expect(end.status == CommandStatus.interrupted.rawValue && !end.wasKilled)
        #expect(end.notes == "cumulus: interrupted\n")
    }

    @Test("one signal ends it while nobody reads its output")
    func blockedOutput() async throws {
        try await withLoopbackServer { routes in
            routes.get("/much") { _ in
                .stream { writer in
                    while true { try await writer.write([UInt8](repeating: 0x61, count: 65_536)) }
                }
            }
        } _: { server in
            let program = try BuiltProgram(["get", "\(server.url)/much"])
            try program.write()
            _ = try await server.waitForSendingToStall()
            program.signal(SIGINT)
            #expect(try await program.unreadEnd() == CommandStatus.interrupted.rawValue)
        }
    }

    @Test("a signal for the program ends the pager too")
    func pager() async throws {
        let lines = (1...100).map { "line \($0)\n" }.joined()
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text(lines) } }) { server in
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/pager"
            try "#!/bin/sh\ncat\nexec sleep 1000\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            let program = try TerminalProgram(["-b", "\(server.url)/x"], environment: ["CUMULUS_PAGER": path])
            try await program.wait(for: "line 100")
            program.signal(SIGTERM)
            #expect(try await program.end().status == CommandStatus.interrupted.rawValue)
        }
    }

    @Test(
        "a file that never ends is an error that names it",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")),
        arguments: [
            (
                ["http://127.0.0.1:1/", "a=@/dev/zero"],
                "the file '/dev/zero' for 'a' can't be read: it is longer than 64 MiB"
            ),
            (
                ["http://127.0.0.1:1/", "X:@/dev/zero"],
                "the file '/dev/zero' for 'X' can't be read: it is longer than 64 MiB"
            ),
            (
                ["https://127.0.0.1:1/", "--verify=/dev/zero"],
                "the --verify file '/dev/zero' can't be read: it is longer than 16 MiB"
            ),
            (
                ["https://127.0.0.1:1/", "--cert", "/dev/zero"],
                "the --cert file '/dev/zero' can't be read: it is longer than 16 MiB"
            ),
            (["http://127.0.0.1:1/", "-A", "bearer", "-a", "@/dev/zero"], "it is longer than 1 MiB"),
            (["download", "-i", "/dev/zero"], "the list '/dev/zero' can't be read: it is longer than 64 MiB"),
        ]
    )
    func endlessFile(_ words: [String], reason: String) async throws {
        let program = try BuiltProgram(words)
        try program.write()
        let end = try await program.end()
        #expect(end.status == CommandStatus.usage.rawValue)
        #expect(end.notes.contains(reason), "\(end.notes)")
    }

    @Test("an endless list on standard input, and endless authorities, are errors")
    func endlessInput() async throws {
        let list = try BuiltProgram(["download", "-i", "-"], shell: #"yes | "$@""#)
        try list.write()
        let reason = "the list can't be read from standard input: it is longer than 64 MiB"
        #expect(try await list.end().notes.contains(reason))
        let roots = try BuiltProgram(["https://127.0.0.1:1/"], shell: #"SSL_CERT_FILE=/dev/zero exec "$@""#)
        try roots.write()
        let end = try await roots.end()
        #expect(end.status == CommandStatus.usage.rawValue)
        #expect(end.notes.contains("the file '/dev/zero' in SSL_CERT_FILE can't be read: it is not a regular file"))
    }

    @Test("a pipe among the environment's authorities doesn't block: a file of them is refused, a folder's is skipped")
    func pipedAuthorities() async throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        let words = ["--offline", "https://127.0.0.1:1/"]
        let file = try BuiltProgram(words, shell: "SSL_CERT_FILE='\(folder.path)/pipe' exec \"$@\"")
        try file.write()
        let refused = try await file.end()
        #expect(refused.status == CommandStatus.usage.rawValue)
        #expect(
            refused.notes.contains("/pipe' in SSL_CERT_FILE can't be read: it is not a regular file"),
            "\(refused.notes)"
        )
        let authority = try TestCertificateAuthority()
        try authority.rootPEM.write(toFile: "\(folder.path)/root.pem", atomically: true, encoding: .utf8)
        let roots = try BuiltProgram(words, shell: "SSL_CERT_DIR='\(folder.path)' exec \"$@\"")
        try roots.write()
        let end = try await roots.end()
        #expect(end.status == 0, "\(end.notes)")
    }
}
