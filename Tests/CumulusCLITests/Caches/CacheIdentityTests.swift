// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--cache` with the transports that the command wraps around the library's: each forwards the identity.
@Suite(.timeLimit(.minutes(10))) struct CacheIdentityTests {
    private struct Routed: Transport {
        let inner: StubTransport
        let identity: TransportIdentity

        var capabilities: TransportCapabilities { inner.capabilities }
        func identity(at origin: Origin) -> TransportIdentity { identity }
        func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
    }

    private let home: TemporaryFolder
    private let stub = StubTransport { request in
        .response(
            headers: [.cacheControl: "max-age=3600", .contentType: "text/plain"],
            body: Array("body \(request.number)".utf8)
        )
    }

    init() throws { home = try TemporaryFolder() }

    private func body(_ identity: TransportIdentity, _ options: [String] = []) async -> String {
        let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
        let arguments = ["https://a.example/me", "--cache", "\(home.path)/responses"] + options
        let status = await console.run(arguments, over: Routed(inner: stub, identity: identity))
        #expect(status == .success, "\(console.notes)")
        return console.output.trimmingSpace
    }

    @Test(arguments: [[], ["--chunked"]])
    func aCertificateGetsNothingThatWasStoredForAnother(options: [String]) async {
        let (ann, bob) = (TransportIdentity(client: ["ann"]), TransportIdentity(client: ["bob"]))
        #expect(await body(ann, options) == "body 1")
        #expect(await body(bob, options) == "body 2")
        #expect(await body(.anonymous, options) == "body 3")
        #expect(await body(ann, options) == "body 1")
        #expect(await body(bob, options) == "body 2")
    }

    @Test func nothingIsStoredOfAnUnverifiedServer() async {
        #expect(await body(.unknown) == "body 1")
        #expect(await body(.anonymous) == "body 2")
        #expect(await body(.unknown) == "body 3")
    }

    @Test func nothingIsStoredOfARequestThatIsNotSent() async {
        let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
        let arguments = ["https://a.example/me", "--cache", "\(home.path)/responses", "--offline"]
        _ = await console.run(arguments, over: stub)
        #expect(await body(.anonymous) == "body 1")
    }
}

extension String {
    /// The text without blanks and line feeds at its ends.
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
