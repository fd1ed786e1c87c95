// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Testing

@testable import CumulusNIO

/// Proxies that refuse a tunnel; they see nothing but CONNECT.
@Suite(.timeLimit(.minutes(10))) struct TunnelFailureTests {
    private let clock = SteppingClock()

    private func request(_ deadlines: TransportDeadlines = .init(idle: .seconds(300))) -> TransportRequest {
        TransportRequest(
            origin: Origin(scheme: .https, host: "site.invalid"),
            headers: [.authorization: "Basic c2VjcmV0"],
            deadlines: deadlines,
            clock: clock
        )
    }

    /// A transport through a proxy that plays a script.
    private func withProxy(
        _ script: RawScript,
        _ configuration: NIOTransport.Configuration = .init(),
        _ body: (LoopbackServer, ProxiedTransport) async throws -> Void
    ) async throws {
        let proxy = try await LoopbackServer.start(raw: script)
        try await withRoute(.proxy(port: proxy.port), configuration) { transport in
            try await body(proxy, transport)
            try await proxy.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
            let seen = String(decoding: proxy.rawInput(), as: UTF8.self)
            #expect(seen == "CONNECT site.invalid:443 HTTP/1.1\r\nHost: site.invalid:443\r\n\r\n")
        }
        await proxy.shutdown()
    }

    @Test(
        "a proxy that doesn't want Basic is named with its schemes",
        arguments: [
            (
                "Digest realm=\"a, Basic\", nonce=\"b\"",
                "it requires Digest authentication, but only Basic is supported for proxies"
            ),
            (
                "Negotiate\r\nProxy-Authenticate: NTLM",
                "it requires Negotiate or NTLM authentication, but only Basic is"
            ),
            ("Digest realm=a, basic realm=b", "it requires credentials"),
        ]
    )
    func otherSchemes(_ challenge: String, _ words: String) async throws {
        let answer = "HTTP/1.1 407 No\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
        try await withProxy([.awaitHead, .send(answer), .hold]) { _, transport in
            let failure = await transport.failure(request())
            #expect(failure?.message.contains("with 407: \(words)") == true, "\(failure as Any)")
            let refusal = failure?.cause as? ProxyRefusal
            #expect(refusal?.reason == .credentials && refusal?.schemes.isEmpty == false)
        }
    }

    @Test(arguments: [407, 403, 502, 302]) func aRefusalNamesTheProxyAndItsStatus(_ status: Int)
        async throws
    {
        let answer = "HTTP/1.1 \(status) No\r\nProxy-Authenticate: Basic\r\nContent-Length: 3\r\n\r\nno!"
        try await withProxy([.awaitHead, .send(answer), .hold]) { proxy, transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .proxy && failure?.fate == .unsent)
            #expect(
                failure?.message
                    == "the proxy http://127.0.0.1:\(proxy.port) refused the tunnel to site.invalid:443 with \(status)"
                    + (status == 407 ? ": it requires credentials" : "")
            )
            let reason = (failure?.cause as? ProxyRefusal)?.reason
            #expect(reason == (status == 407 ? .credentials : .status(status)))
        }
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9\r\n", TunnelProblem.unreadable(.notHTTP)),
        ("\u{16}\u{3}\u{3}", .unreadable(.notHTTP)),
        ("\u{15}\u{3}\u{3}", .unreadable(.tlsRecord)),
        ("HTTP/1.1 200 OK\r\n\r\nearly", .unaskedBytes),
        ("HTTP/1.1 200 OK\n\n", .ambiguous),
        ("HTTP/1.1 101 Switching\r\n\r\n", .unreadable(.unexpectedUpgrade)),
        ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000), .unreadable(.headTooLarge(limit: 65_536))),
        (
            String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 11),
            .unreadable(.tooManyInformationalResponses(limit: 10))
        ),
    ])
    func anAnswerThatIsNoneIsTheProxysFailure(_ answer: String, _ problem: TunnelProblem) async throws {
        try await withProxy([.awaitHead, .send(answer), .hold]) { _, transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .proxy && failure?.fate == .unsent, "\(String(describing: failure))")
            #expect(failure?.cause as? TunnelProblem == problem)
            #expect(failure?.message.contains("so the URL") == false)
        }
    }

    @Test(arguments: [
        ([RawScript.Step.awaitHead, .close], HTTP1ProtocolError.closedBeforeResponse),
        ([.awaitHead, .send("HTTP/1.1 2"), .close], .truncatedHead),
        ([.awaitHead, .reset], .closedBeforeResponse),
    ])
    func anEndIsTheProxysFailure(_ steps: [RawScript.Step], _ error: HTTP1ProtocolError) async throws {
        try await withProxy(RawScript(steps)) { _, transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .proxy && failure?.fate == .unsent)
            #expect(failure?.cause as? TunnelProblem == .unreadable(error))
        }
    }

    @Test(
        "silence and drops are limited by the connect timeout",
        arguments: [
            [RawScript.Step.awaitHead, .hold],
            [
                .awaitHead, .send("HTTP/1.1 200 OK\r\nX: "),
                .split(String(repeating: "x", count: 60_000), every: 1, pause: .milliseconds(5)),
            ],
            [.awaitHead, .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"), .hold],
        ]
    )
    func isBoundedInTime(_ steps: [RawScript.Step]) async throws {
        try await withProxy(RawScript(steps)) { proxy, transport in
            let task = Task { await transport.failure(request(.init(connect: .seconds(60)))) }
            try await proxy.waitForRequests(1)
            clock.advance(by: .seconds(61))
            let failure = await task.value
            #expect(failure?.kind == .timeout(.connect) && failure?.fate == .unsent)
            #expect(failure?.limit == .seconds(60))
        }
    }

    @Test func theTransportsOwnLimitCountsTheTunnel() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.connectTimeout = .seconds(2)
        try await withProxy([.awaitHead, .hold], configuration) { proxy, transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .timeout(.connect))
            let way = "https://site.invalid through the proxy http://127.0.0.1:\(proxy.port)"
            #expect(failure?.message.contains(way) == true, "\(String(describing: failure))")
        }
    }

    @Test func aCancelledCallLeavesNoTunnelBehind() async throws {
        try await withProxy([.awaitHead, .hold]) { proxy, transport in
            let task = Task { try await transport.exchange(request()) }
            try await proxy.waitForRequests(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func aShutdownEndsIt() async throws {
        try await withProxy([.awaitHead, .hold]) { proxy, transport in
            let task = Task { await transport.failure(request()) }
            try await proxy.waitForRequests(1)
            await transport.shutdown(.immediate)
            #expect(await task.value?.kind == .shutdown)
        }
    }

    @Test func aTargetThatSpeaksNoTLSIsNotTheProxysFault() async throws {
        let target = try await LoopbackServer.start(raw: [.awaitBytes(1), .send("HTTP/1.1 400 Bad\r\n\r\n"), .hold])
        let proxy = try await TunnelProxy.start()
        try await withRoute(.proxy(port: proxy.port)) { transport in
            var request = request()
            request.origin = Origin(scheme: .https, host: "site.invalid", port: target.port)
            let failure = await transport.failure(request)
            #expect(failure?.kind == .tls)
            #expect(failure?.message.contains("https://site.invalid:\(target.port)") == true)
        }
        await target.shutdown()
    }

    @Test func aTargetThatBreaksTheHandshakeIsNotConnected() async throws {
        let target = try await LoopbackServer.start(raw: [.awaitBytes(100), .close])
        let proxy = try await TunnelProxy.start()
        try await withRoute(.proxy(port: proxy.port)) { transport in
            var request = request()
            request.origin = Origin(scheme: .https, host: "site.invalid", port: target.port)
            let failure = await transport.failure(request)
            #expect(failure?.kind == .connect && failure?.fate == .unsent)
            let words = "https://site.invalid:\(target.port) closed the connection during the TLS handshake"
            #expect(failure?.message.hasPrefix(words) == true, "\(failure as Any)")
        }
        await target.shutdown()
    }

    @Test func aProxyThatBreaksItsHandshakeIsNotConnected() async throws {
        let proxy = try await LoopbackServer.start(raw: [.awaitBytes(100), .reset])
        let route = Route.proxy(Proxy(.https, at: Origin(scheme: .https, host: "127.0.0.1", port: proxy.port)))
        try await withRoute(route) { transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .connect && failure?.fate == .unsent)
            let words = "the proxy https://127.0.0.1:\(proxy.port) closed the connection during the TLS handshake"
            #expect(failure?.message.hasPrefix(words) == true, "\(failure as Any)")
        }
        await proxy.shutdown()
    }

    @Test func aProxyThatIsNotThereIsNamed() async throws {
        try await withRoute(.proxy(port: 1)) { transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .connect)
            let start = "can't connect to the proxy http://127.0.0.1:1: "
            #expect(failure?.message.hasPrefix(start) == true, "\(String(describing: failure))")
        }
        try await withRoute(.proxy(port: 1, host: "proxy.invalid")) { transport in
            let failure = await transport.failure(request())
            #expect(failure?.kind == .lookup)
            #expect(failure?.message.contains("the host proxy.invalid") == true, "\(String(describing: failure))")
        }
    }
}
