// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// `cumulus events` as a process.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct EventsProgramTests {
    /// Runs work with a server that sends one event and then nothing.
    private func withFeed(_ work: (_ server: LoopbackServer) async throws -> Void) async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.get("/feed") { _ in
                .stream(headers: [.contentType: "text/event-stream"]) { writer in
                    try await writer.write("id: 1\ndata: {\"text\":\"Hi\"}\n\n")
                    try await gate.wait()
                }
            }
        } _: { server in
            try await work(server)
            gate.open()
        }
    }

    @Test("the reader of a pipe gets each event at once; SIGTERM ends the stream with 130")
    func pipe() async throws {
        let folder = try TemporaryFolder()
        try await withFeed { server in
            let shell = """
                cd '\(folder.path)' && mkfifo pipe
                "$@" >pipe & exec 9<pipe
                IFS= read -r line <&9; echo "got $line"
                kill -TERM $!; wait $!; echo "status $?"
                """
            let program = try BuiltProgram(["events", "\(server.url)/feed", "--filter", ".text"], shell: shell)
            try program.write()
            let end = try await program.end()
            #expect(end.output == "got Hi\nstatus 130\n")
            #expect(end.notes == "cumulus: interrupted\n")
            try await server.waitForOpenConnections(0)
        }
    }

    @Test("Ctrl-C ends the line of joined texts, and two signals at once count as one", arguments: [1, 2])
    func interrupted(times: Int) async throws {
        try await withFeed { server in
            let words = ["events", "\(server.url)/feed", "--filter", ".text", "--join"]
            let program = try TerminalProgram(words, environment: ["NO_COLOR": "1"])
            try await program.wait(for: "Hi")
            // As `timeout` sends it: to its child, and then to the group.
            for _ in 0..<times { program.signal(SIGINT) }
            let end = try await program.end()
            #expect(end.status == CommandStatus.interrupted.rawValue)
            #expect(end.text == "Hi\ncumulus: interrupted\n")
            try await server.waitForOpenConnections(0)
        }
    }
}
