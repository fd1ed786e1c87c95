// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI

/// The sender's identity: `--auth`, `--auth-type`, the URL's user, and netrc.
@Suite(.timeLimit(.minutes(10))) struct IdentityParserTests {
    private let surroundings = Surroundings.of(
        environment: ["TOKEN": "t0", "EMPTY": ""],
        files: ["secret": "p:w\r\n", "two": "a\nb\n", "binary": "\u{0}"]
    )

    private func identity(_ arguments: String...) throws -> Plan.Identity? {
        try plan(arguments + ["x.y"], in: surroundings).identity
    }

    @Test("kinds, and where the secret is")
    func kinds() throws {
        #expect(try identity("-a", "ada:pw") == .basic(user: "ada", password: "pw"))
        #expect(try identity("-A", "BASIC", "-a", "ada:p:w") == .basic(user: "ada", password: "p:w"))
        #expect(try identity("-A", "digest", "-a", "ada:pw") == .digest(user: "ada", password: "pw"))
        #expect(try identity("-A", "digest", "-a", "ada") == .digest(user: "ada", password: nil))
        #expect(try identity("-A", "bearer", "-a", "t:1") == .bearer("t:1"))
        #expect(try identity("-A", "apikey", "-a", "k") == .headerKey(name: "X-API-Key", "k"))
        #expect(try identity("-A", "apikey", "-a", "X-Key:k==") == .headerKey(name: "X-Key", "k=="))
        #expect(try identity("-A", "apikey", "-a", "key==k:1") == .queryKey(name: "key", "k:1"))
        let named = Plan.Identity.headerKey(name: "Authorization", "Token abc")
        #expect(try identity("-A", "apikey", "-a", "Authorization:Token abc") == named)
        for wrong in ["X-Key: k", "X-Key:k ", "X-Key:k\t1"] {
            #expect(throws: UsageMistake.self) { try identity("-A", "apikey", "-a", wrong) }
        }
    }

    @Test("env:NAME and @FILE refer to a password, a token or a key")
    func elsewhere() throws {
        #expect(try identity("-a", "ada:env:TOKEN") == .basic(user: "ada", password: "t0"))
        #expect(try identity("-a", "ada:env:EMPTY") == .basic(user: "ada", password: ""))
        #expect(try identity("-a", "ada:@secret") == .basic(user: "ada", password: "p:w"))
        #expect(try identity("-A", "digest", "-a", "ada:@secret") == .digest(user: "ada", password: "p:w"))
        #expect(try identity("-A", "bearer", "-a", "env:TOKEN") == .bearer("t0"))
        #expect(try identity("-A", "bearer", "-a", "@secret") == .bearer("p:w"))
        #expect(try identity("-A", "apikey", "-a", "env:TOKEN") == .headerKey(name: "X-API-Key", "t0"))
        #expect(try identity("-A", "apikey", "-a", "X-Key:@secret") == .headerKey(name: "X-Key", "p:w"))
        #expect(try identity("-A", "apikey", "-a", "key==env:TOKEN") == .queryKey(name: "key", "t0"))
    }

    @Test("with basic, env:x is the user env, and a backslash escapes it")
    func literal() throws {
        #expect(try identity("-a", "env:x") == .basic(user: "env", password: "x"))
        #expect(try identity("-a", #"ada:\@secret"#) == .basic(user: "ada", password: "@secret"))
        #expect(try identity("-a", #"ada:\env:TOKEN"#) == .basic(user: "ada", password: "env:TOKEN"))
        #expect(try identity("-a", #"ada:\\x"#) == .basic(user: "ada", password: #"\x"#))
    }

    @Test(
        "mistakes are reported",
        arguments: [
            (["-a", "ada:env:NONE"], "NONE"), (["-A", "bearer", "-a", "env:"], "not set"),
            (["-a", "ada:@missing"], "missing"), (["-A", "bearer", "-a", "env:EMPTY"], "token"),
            (["-A", "bearer", "-a", "@two"], "token"), (["-A", "ntlm", "-a", "a:b"], "not supported"),
            (["-A", "Negotiate", "-a", "a:b"], "not supported"), (["-A", "hawk", "-a", "a:b"], "not 'hawk'"),
            (["-A", "apikey", "-a", "a b:c"], "field"), (["-A", "digest"], "needs --auth"),
            (["--netrc"], "HOME"),
        ]
    )
    func mistakes(arguments: [String], told: String) throws {
        let mistake = try #require(throws: UsageMistake.self) { try plan(arguments + ["x.y"], in: surroundings) }
        #expect(mistake.reason.contains(told), "\(mistake)")
    }

    private func netrc(_ text: String?, home: String = "/home/ada", netrc: String? = nil) -> Surroundings {
        var surroundings = Surroundings.of(environment: ["HOME": home])
        if let netrc { surroundings.environment["NETRC"] = netrc }
        let path = netrc ?? "\(home)/.netrc"
        surroundings.readNetrc = { asked in
            guard asked == path, let text else { return try NetrcFile(path: "/missing/netrc") }
            return try NetrcFile(parsing: Array(text.utf8))
        }
        return surroundings
    }

    private let entry = "machine x.y login ada password pw"

    @Test("the netrc file is searched for the given host, and nothing else in it is used")
    func netrcHost() throws {
        #expect(try plan(["x.y"], in: netrc(entry)).identity == .basic(user: "ada", password: "pw"))
        #expect(try plan(["https://x.y:8443/a"], in: netrc(entry)).identity == .basic(user: "ada", password: "pw"))
        #expect(try plan(["--base", "x.y/v1", "z"], in: netrc(entry)).identity == .basic(user: "ada", password: "pw"))
        #expect(try plan(["z.x.y"], in: netrc(entry)).identity == nil)
        #expect(try plan(["x.y"], in: netrc(entry, netrc: "/etc/own")).identity == .basic(user: "ada", password: "pw"))
        #expect(try plan(["x.y"], in: netrc(nil)).identity == nil)
        #expect(try plan(["x.y"], in: netrc(nil)).notices.isEmpty)
    }

    @Test(
        "never beside --auth, a user in the URL, or an Authorization field",
        arguments: [
            ["-a", "eve:x", "x.y"], ["-A", "bearer", "-a", "t", "x.y"], ["eve:@x.y"], ["eve@x.y"],
            ["x.y", "Authorization:Mine x"], ["x.y", "Authorization:"], ["--ignore-netrc", "x.y"],
        ]
    )
    func netrcAside(arguments: [String]) throws {
        let identity = try plan(arguments, in: netrc(entry)).identity
        if case .basic(let user, _) = identity { #expect(user == "eve") }
        #expect(identity != .basic(user: "ada", password: "pw"))
    }

    @Test(
        "an item and the command line's credentials can't set the same header",
        arguments: [
            ["-a", "u:p", "x.y", "Authorization:"], ["-a", "u:p", "x.y", "authorization:x"],
            ["u:p@x.y", "Authorization:"],
            ["http://u:p@x.y/", "Authorization;"], ["-A", "bearer", "-a", "t", "x.y", "Authorization:x"],
            ["--base", "http://u:p@x.y", "z", "Authorization:x"], ["-A", "apikey", "-a", "k", "x.y", "X-Api-Key:l"],
            ["-A", "apikey", "-a", "X-K:k", "x.y", "x-k:l"],
        ]
    )
    func twice(arguments: [String]) {
        let found = mistake(arguments)
        #expect(found?.reason.contains("can't be combined") == true, "\(String(describing: found))")
    }

    @Test("a key in one header and an item in another go together, and an item replaces the user of CUMULUS_BASE")
    func beside() throws {
        let plan = try CumulusCLITests.plan(["-A", "apikey", "-a", "X-K:k", "x.y", "Authorization:Bearer t"])
        #expect(plan.identity == .headerKey(name: "X-K", "k"))
        let inherited = Surroundings.of(environment: ["CUMULUS_BASE": "http://u:p@x.y/"])
        #expect(try CumulusCLITests.plan(["z", "Authorization:"], in: inherited).identity == nil)
        #expect(try CumulusCLITests.plan(["z"], in: inherited).identity == .basic(user: "u", password: "p"))
    }

    @Test("an unknown option never quotes a value that is joined to it", arguments: ["=", ":", ",", "@", " "])
    func joinedValue(mark: String) {
        let found = mistake(["--auth\(mark)s3cr3t", "--authx\(mark)s3cr3t", "x.y"])
        #expect(found?.reason.contains("s3cr3t") != true && found?.hint?.contains("s3cr3t") != true)
    }

    @Test("the look-up uses the host that is connected to")
    func netrcDisguise() throws {
        let entries = "machine example.com login ada password pw\nmachine evil.com login eve password no"
        #expect(
            try plan(["http://example.com:@evil.com/"], in: netrc(entries)).identity
                != .basic(user: "ada", password: "pw")
        )
    }

    @Test("an unusable file is reported and ignored, or an error with --netrc")
    func netrcProblems() throws {
        let broken = netrc("machine x.y login ada password hunter2 hunter2")
        let plan = try plan(["x.y"], in: broken)
        #expect(plan.identity == nil)
        #expect(plan.notices.count == 1)
        #expect(plan.notices[0].contains("line 1"))
        #expect(!plan.notices[0].contains("hunter2"))
        for surroundings in [broken, netrc(nil)] {
            #expect(throws: UsageMistake.self) { try CumulusCLITests.plan(["--netrc", "x.y"], in: surroundings) }
        }
    }

    @Test("a redirect to another host takes nothing of netrc along")
    func netrcRedirect() async {
        let transport = StubTransport { request in
            request.request.origin.host == "x.y" ? .response(.found, headers: [.location: "http://b.y/"]) : .text("b")
        }
        let console = MemoryConsole()
        var own = console.console
        own.surroundings = netrc(entry + " machine b.y login bob password no")
        let run = CommandRun(own, makeTransport: { _ in transport })
        #expect(await run.run(["http://x.y/"]) == .success)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Basic YWRhOnB3", nil])
    }

    @Test("Digest is supported, and its password asked for without showing it")
    func digest() async {
        let space = DigestSpace(user: "ada", password: "hunter2")
        let transport = StubTransport { request in
            let verdict = space.judge(
                method: request.method.rawValue,
                target: request.request.target,
                authorization: request.headers[.authorization]
            )
            guard case .refused(let challenges) = verdict else { return .text("in") }
            return .response(.unauthorized, headers: [.wwwAuthenticate: challenges[0]])
        }
        let console = MemoryConsole(password: "hunter2")
        #expect(await console.run(["-v", "-A", "digest", "-a", "ada", "x.y"], over: transport) == .success)
        #expect(console.prompts.count == 1)
        #expect(console.output.contains("Authorization: Digest <redacted>"))
        #expect(!console.output.contains("hunter2"))
    }
}
