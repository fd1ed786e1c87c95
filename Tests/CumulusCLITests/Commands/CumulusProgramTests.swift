// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// The program itself: its signals and its standard input.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isThere)) struct CumulusProgramTests {
    @Test("Ctrl-C, or a request to end, ends the request in order", arguments: [SIGINT, SIGTERM])
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

    @Test("The second signal ends the process, whatever it does")
    func twoSignals() async throws {
        try await withLoopbackServer { routes in
            routes.get("/much") { _ in
                .stream { writer in
                    while true { try await writer.write([UInt8](repeating: 0x61, count: 65_536)) }
                }
            }
        } _: { server in
            // Nobody reads what it prints, so it waits for the pipe, not for the request.
            let program = try BuiltProgram(["get", "\(server.url)/much"])
            try program.write()
            _ = try await server.waitForSendingToStall()
            program.signal(SIGINT)
            program.signal(SIGTERM)
            #expect(try await program.unreadEnd() == CommandStatus.interrupted.rawValue)
        }
    }

    @Test("A signal that was ignored when the process began stays ignored")
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

    @Test("What is piped in is the body, at once or late", arguments: [false, true])
    func pipedIn(isLate: Bool) async throws {
        try await withLoopbackServer { routes in
            routes.post("/x") { .text("got \($0.body.count)") }
        } _: { server in
            // Ready before it begins: a file. Late: a second command that is slower to begin than this one.
            let shell = isLate ? #"sh -c "sleep 0.2; cat" | "$@""# : #"cat >"$F"; exec "$@" <"$F""#
            let folder = try TemporaryFolder()
            let program = try BuiltProgram(["\(server.url)/x"], shell: "F=\(folder.path)/body; \(shell)")
            try program.write("hello\n")
            let end = try await program.end()
            #expect(end.output == "got 6")
            #expect(end.status == 0)
        }
    }

    @Test("An argument that Swift would mend is refused")
    func unreadableArgument() async throws {
        let program = try BuiltProgram([], shell: #""$@" --offline ":1/$(printf '\377')""#)
        try program.write()
        let end = try await program.end()
        #expect(end.status == CommandStatus.usage.rawValue)
        #expect(end.notes == "cumulus: usage: argument 2 is not text in UTF-8\n")
    }

    @Test("Closed standard streams are no other file's")
    func closedStreams() async throws {
        try await withLoopbackServer { routes in
            routes.post("/x") { .text("got \($0.body.count)") }
        } _: { server in
            let shell = #""$@" <&- >&- 2>&-; echo $?"#
            let end = try await BuiltProgram([server.url + "/x", "a=b"], shell: shell).end()
            #expect(end.output == "0\n")
            #expect(server.requests.map(\.body.count) == [9])
            #expect(server.failures.isEmpty)
        }
    }

    @Test("An empty standard input is no body")
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
