// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// The built program: its signals and its standard input.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct CumulusProgramTests {
    @Test("Ctrl-C, or SIGTERM, ends the request gracefully", arguments: [SIGINT, SIGTERM])
    func oneSignal(_ number: Int32) async throws {
        try await withLoopbackServer(raw: [.hold]) { server in
            let program = try BuiltProgram(["get", server.url])
            try program.write()
            try await server.waitForConnections(1)
            program.signal(number)
            let end = try await program.end()
            #expect(end.status == CommandStatus.interrupted.rawValue)
            #expect(!end.wasKilled)
            #expect(end.notes == "cumulus: interrupted\n")
        }
    }

    @Test("the second signal ends the process, even while an open editor holds the first one back")
    func twoSignals() async throws {
        try await withLoopbackServer { routes in
            routes.get("/note") { _ in .json(["a": 1] as JSON, headers: [.eTag: "\"v1\""]) }
        } _: { server in
            let folder = try TemporaryFolder()
            try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
            // The command holds the pipe open for writing: the editor, which has opened it before it says that it is
            // there, reads its end when the command has gone.
            let shell = """
                cd '\(folder.path)' && exec 9<>pipe && \
                VISUAL="exec 8<pipe 9>&-; trap '' INT TERM HUP; : >open; read line <&8; :" exec "$@"
                """
            let program = try BuiltProgram(["edit", "\(server.url)/note"], shell: shell)
            try program.write()
            while !FileManager.default.fileExists(atPath: "\(folder.path)/open") {
                // There is no signal when another process makes a file.
                try await Task.sleep(for: .milliseconds(5))
            }
            program.signal(SIGINT)
            // One that comes with the first signal doesn't count, so it is sent until the end.
            #expect(try await program.unreadEnd(signaling: SIGTERM) == CommandStatus.interrupted.rawValue)
        }
    }

    @Test("a signal that was ignored when the process began stays ignored")
    func ignored() async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.get("/x") { _ in
                try await gate.wait()
                return .text("fine")
            }
        } _: { server in
            let program = try BuiltProgram(["get", "\(server.url)/x"], shell: #"trap "" INT; exec "$@""#)
            try program.write()
            try await server.waitForRequests(1)
            program.signal(SIGINT)
            gate.open()
            let end = try await program.end()
            #expect(end.status == 0)
            #expect(end.output == "fine")
        }
    }

    @Test("piped input is the body, whether it arrives immediately or late", arguments: [false, true])
    func pipedIn(isLate: Bool) async throws {
        try await withLoopbackServer { routes in
            routes.post("/x") { .text("got \($0.body.count)") }
        } _: { server in
            // Ready before it begins: a file. Late: a second command that starts more slowly than this one.
            let shell = isLate ? #"sh -c "sleep 0.2; cat" | "$@""# : #"cat >"$F"; exec "$@" <"$F""#
            let folder = try TemporaryFolder()
            let program = try BuiltProgram(["post", "\(server.url)/x"], shell: "F=\(folder.path)/body; \(shell)")
            try program.write("hello\n")
            let end = try await program.end()
            #expect(end.output == "got 6")
            #expect(end.status == 0)
        }
    }

    @Test("an argument that Swift would repair is refused")
    func unreadableArgument() async throws {
        let program = try BuiltProgram([], shell: #""$@" --offline ":1/$(printf '\377')""#)
        try program.write()
        let end = try await program.end()
        #expect(end.status == CommandStatus.usage.rawValue)
        #expect(end.notes == "cumulus: usage: argument 2 is not valid UTF-8\n")
    }

    @Test("closed standard streams don't become other files")
    func closedStreams() async throws {
        try await withLoopbackServer { routes in
            routes.post("/x") { .text("got \($0.body.count)") }
        } _: { server in
            let shell = #""$@" <&- >&- 2>&-; echo $?"#
            let end = try await BuiltProgram([server.url + "/x", "a=b"], shell: shell).end()
            #expect(end.output == "13\n")
            let silent = try await BuiltProgram(["--print=", server.url + "/x", "a=b"], shell: shell).end()
            #expect(silent.output == "0\n")
            #expect(server.requests.map(\.body.count) == [9, 9])
            #expect(server.failures.isEmpty)
        }
    }

    @Test("an empty standard input is not a body")
    func emptyInput() async throws {
        try await withLoopbackServer { routes in
            routes.get("/x") { _ in .text("fine") }
        } _: { server in
            for shell in [#"exec "$@" </dev/null"#, #"exec "$@" <&-"#] {
                let end = try await BuiltProgram(["\(server.url)/x"], shell: shell).end()
                #expect(end.output == "fine")
                #expect(end.status == 0)
            }
        }
    }
}
