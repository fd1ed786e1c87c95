// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// Commands that use one session at the same time.
@Suite(.timeLimit(.minutes(10))) struct SessionRaceTests {
    @Test("two concurrent commands each store their cookies and headers, and undo nothing of the other's")
    func twoAtOnce() async throws {
        let home = try TemporaryFolder()
        let path = home.path
        let gate = Gate()
        let transport = StubTransport { request in
            guard request.path != "/show" else {
                let names = ["X-A", "X-B", "Cookie", "Authorization"]
                return .text(names.map { request.headers[HTTPField.Name($0) ?? .cookie] ?? "-" }.joined(separator: "|"))
            }
            try await gate.wait()
            return .response(headers: [.setCookie: "\(request.path.dropFirst())=1; Path=/"])
        }
        @Sendable func run(_ arguments: String...) async -> (CommandStatus, String) {
            let console = MemoryConsole(environment: ["XDG_STATE_HOME": path])
            let status = await console.run(arguments, over: transport)
            return (status, console.output)
        }
        async let first = run("https://a.example/a", "--session", "work", "X-A:1")
        async let second = run("https://a.example/b", "--session", "work", "X-B:2", "-a", "ada:lovelace")
        // Polls: the gate has no signal for waiters.
        while gate.waiterCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
        gate.open()
        let (one, two) = (await first.0, await second.0)
        #expect(one == .success && two == .success)
        let shown = await run("https://a.example/show", "--session", "work").1
        #expect(shown == "1|2|a=1; b=1|Basic YWRhOmxvdmVsYWNl" || shown == "1|2|b=1; a=1|Basic YWRhOmxvdmVsYWNl")
    }

    @Test("a command whose cookies another process keeps it from saving can be interrupted")
    func aHeldLockEndsWithAnInterruption() async throws {
        let home = try TemporaryFolder()
        let path = home.path + "/jar.txt"
        let other = try FileLock(FilePath(path + ".lock"))
        #expect(try other.take())
        let transport = StubTransport { _ in .response(headers: [.setCookie: "a=1"], body: Array("done".utf8)) }
        let console = MemoryConsole()
        let run = Task { await console.run(["https://a.example/", "--cookies", path], over: transport) }
        // Polls: the console has no signal for output.
        while console.output.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        run.cancel()
        #expect(await run.value == .interrupted)
        #expect(home.names == ["jar.txt.lock"])
    }

    @Test("a session is not removed while another process holds its lock, and its locks are kept")
    func removing() async throws {
        let home = try TemporaryFolder()
        let memory = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
        let transport = StubTransport { _ in .response(headers: [.setCookie: "a=1"]) }
        #expect(await memory.run(["https://a.example/", "--session", "work", "X-A:1"], over: transport) == .success)
        let folder = "\(home.path)/cumulus/sessions/https_a.example_443"
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
        let all = ["work.cookies", "work.cookies.lock", "work.json", "work.json.lock"]
        var console = memory.console
        console.surroundings.readFolder = { try FileManager.default.contentsOfDirectory(atPath: $0) }
        let command = CommandRun(console)

        let other = try FileLock(FilePath("\(folder)/work.json.lock"))
        #expect(try other.take())
        let run = Task { await command.run(["sessions", "remove", "work"]) }
        run.cancel()
        #expect(await run.value == .interrupted)
        #expect(try names() == all)

        other.release()
        #expect(await command.run(["sessions", "remove", "work"]) == .success)
        #expect(try names() == ["work.cookies.lock", "work.json.lock"])
    }

    @Test func whatChangedIsLaidOverWhatIsThere() throws {
        let origin = Origin(scheme: .https, host: "a.example")
        func session(_ fields: KeyValuePairs<String, String>, _ identity: Plan.Identity? = nil) -> SavedSession {
            var session = SavedSession(of: origin)
            session.fields = fields.map { SavedSession.Field(name: $0.key, value: $0.value) }
            session.identity = identity
            return session
        }
        let before = session(["A": "1", "B": "1"], .bearer("old"))
        let there = session(["A": "1", "B": "1", "C": "3"], .bearer("new"))
        #expect(there.changed(from: before, to: before) == there)
        #expect(
            there.changed(from: before, to: session(["a": "2"], .bearer("old")))
                == session(["a": "2", "C": "3"], .bearer("new"))
        )
        #expect(there.changed(from: before, to: session(["A": "1", "B": "1"])).identity == nil)
    }
}
