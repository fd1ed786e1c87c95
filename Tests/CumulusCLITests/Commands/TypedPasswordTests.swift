// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI

/// Passwords that are typed on the terminal, and refused.
@Suite(.timeLimit(.minutes(10))) struct TypedPasswordTests {
    private let url = "http://x.y/"

    /// A service for ada with the password `hunter2`.
    private let basic = StubTransport { request in
        request.headers[.authorization] == "Basic YWRhOmh1bnRlcjI="
            ? .text("in")
            : .response(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"va\u{202E}ult\""])
    }

    @Test("A refused password is asked for again, with the origin, the realm and the number of the try")
    func again() async {
        let console = MemoryConsole(passwords: ["one", "two", "hunter2"])
        #expect(await console.run(["-a", "ada", url], over: basic) == .success)
        let refused = "cumulus: http://x.y refused the password for 'va\\u202eult'; password for ada"
        #expect(
            console.prompts == [
                "cumulus: password for ada: ", "\(refused), try 2 of 3 (empty to stop): ",
                "\(refused), try 3 of 3 (empty to stop): ",
            ]
        )
        #expect(
            basic.requests.map { $0.headers[.authorization] } == [
                "Basic YWRhOm9uZQ==", "Basic YWRhOnR3bw==", "Basic YWRhOmh1bnRlcjI=",
            ]
        )
        #expect(console.output.contains("in"))
    }

    @Test("The third wrong password ends it, and so does an empty line", arguments: [["1", "2", "3"], ["1", ""]])
    func bounded(passwords: [String]) async {
        let console = MemoryConsole(passwords: passwords)
        #expect(await console.run(["-a", "ada", url], over: basic) == CommandStatus(statusCode: 401))
        #expect(console.prompts.count == passwords.count)
        #expect(basic.requests.count == passwords.count { !$0.isEmpty })
    }

    @Test("With Digest it is asked for again, too, and never sent to a server that wants Basic")
    func digest() async {
        let space = DigestSpace(user: "ada", password: "hunter2")
        let transport = StubTransport { request in
            let result = space.judge(
                method: request.method.rawValue,
                target: request.request.target,
                authorization: request.headers[.authorization]
            )
            guard case .refused(let challenges) = result else { return .text("in") }
            return .response(.unauthorized, headers: [.wwwAuthenticate: challenges[0]])
        }
        let console = MemoryConsole(passwords: ["one", "hunter2"])
        #expect(await console.run(["-A", "digest", "-a", "ada", url], over: transport) == .success)
        #expect(console.prompts.count == 2 && transport.requests.count == 3)
        let other = MemoryConsole(password: "hunter2")
        #expect(await other.run(["-A", "digest", "-a", "ada", url], over: basic) == CommandStatus(statusCode: 401))
        #expect(other.prompts.count == 1 && basic.requests.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test("where a redirect leads to another origin, nobody is asked for that origin, and it gets no password")
    func elsewhere() async {
        let transport = StubTransport { request in
            request.url.contains("//x.y")
                ? .response(.found, headers: [.location: "http://z.y/"])
                : .response(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"vault\""])
        }
        let console = MemoryConsole(passwords: ["hunter2", "hunter2", "hunter2"])
        #expect(await console.run(["-a", "ada", url], over: transport) == CommandStatus(statusCode: 401))
        #expect(console.prompts.count == 1)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Basic YWRhOmh1bnRlcjI=", nil])
    }

    @Test("A password that wasn't typed, or that a script waits for, isn't asked for again")
    func notAgain() async {
        let given = MemoryConsole(password: "hunter2")
        #expect(await given.run(["-a", "ada:one", url], over: basic) == CommandStatus(statusCode: 401))
        #expect(given.prompts.isEmpty)
        let script = MemoryConsole(input: [], password: "one")
        #expect(await script.run(["-a", "ada", "GET", url], over: basic) == CommandStatus(statusCode: 401))
        #expect(script.prompts.count == 1)
    }

    @Test(
        "A typed password is not shown on the terminal, also at the second try",
        .enabled(if: BuiltProgram.isThere && TerminalProgram.canAsk)
    )
    func hidden() async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/vault") { request in
                request.headers[.authorization] == "Basic YWRhOmh1bnRlcjI="
                    ? .text("the gold")
                    : ServerResponse(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"vault\""])
            }
        }) { server in
            let program = try TerminalProgram(["--no-config", "-a", "ada", "\(server.url)/vault"], asks: true)
            try await program.wait(for: "password for ada: ")
            #expect(!program.echoes)
            try program.enter("swordfish\n")
            try await program.wait(for: "for 'vault'; password for ada, try 2 of 3 (empty to stop): ")
            #expect(!program.echoes)
            try program.enter("hunter2\n")
            let end = try await program.end()
            #expect(end.status == 0 && end.text.contains("the gold"), "\(end.text)")
            #expect(!end.text.contains("swordfish") && !end.text.contains("hunter2"))
            // Without that, nothing would be shown anyway.
            #expect(program.echoes)
        }
    }
}
