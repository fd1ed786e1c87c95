// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCLI

/// `--cache`.
@Suite(.timeLimit(.minutes(10))) struct CacheOptionTests {
    private let home: TemporaryFolder
    private let transport = StubTransport { request in
        let user = request.headers[.authorization] == nil ? "nobody" : "somebody"
        return .response(headers: ["Cache-Control": "max-age=3600"], body: Array("\(user) \(request.number)".utf8))
    }

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: String..., expecting expected: CommandStatus = .success) async -> MemoryConsole {
        let console = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
        let status = await console.run(["http://a.example/x"] + arguments, over: transport)
        #expect(status == expected, "\(console.notes)")
        return console
    }

    @Test("what is fresh is printed again by another run, for the same user only")
    func fresh() async {
        let folder = "\(home.path)/cache"
        for _ in 1...2 { #expect(await run("--cache", folder).output.contains("nobody 1")) }
        let shown = await run("--cache", folder, "-v")
        #expect(shown.output.contains("nobody 1"))
        #expect(shown.notes.contains { $0.hasPrefix("cumulus: cache: hit; ttl=") })
        let explained = await run("--cache", folder, "--explain").notes
        #expect(explained.contains { $0.hasPrefix("cumulus: response 200 (cache: hit; ttl=") }, "\(explained)")
        for _ in 1...2 { #expect(await run("--cache", folder, "-a", "ada:pw").output.contains("somebody 2")) }
        #expect(await run("--cache", folder, "Cache-Control:no-cache").output.contains("nobody 3"))
        #expect(await run("--cache", "off").output.contains("nobody 4"))
        #expect(await run().output.contains("nobody 5"))
        #expect(transport.requests.count == 5)
    }

    @Test("a request that is only shown is not answered; a folder that can't be used is one warning")
    func edges() async throws {
        let folder = "\(home.path)/cache"
        _ = await run("--cache", folder)
        #expect(await run("--cache", folder, "--offline").output.contains("GET /x HTTP/1.1"))
        _ = try home.write("", to: "file")
        let warned = await run("--cache", "\(home.path)/file")
        #expect(warned.notes.count { $0.contains("warning: the cache can't use its folder") } == 1)
        #expect(await run("--cache", "", expecting: .usage).notes.contains { $0.contains("--cache is empty") })
    }
}
