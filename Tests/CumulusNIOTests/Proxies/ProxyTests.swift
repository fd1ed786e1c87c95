// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

/// Requests through proxies of every kind, to our own servers, and what each of the three sees.
@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    private let authority: TestCertificateAuthority
    private let ada = Credentials(user: "ada", password: "lovelace")

    init() throws { authority = try TestCertificateAuthority() }

    private var trusting: NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        return configuration
    }

    /// A server that responds with what it knows of the client.
    private func server(isSecure: Bool, protocols: [String] = ["http/1.1"]) async throws -> LoopbackServer {
        let install: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/") { .text("\($0.headers[.authorization] ?? "-") \($0.headers[.proxyAuthorization] ?? "-")") }
            routes.post("/") { .text("\($0.body.count)") }
            routes.get("/refused") { _ in ServerResponse(.proxyAuthenticationRequired) }
        }
        guard isSecure else { return try await LoopbackServer.start(routes: install) }
        var tls = try ServerTLS.issued(by: authority, hosts: ["site.invalid"])
        tls.applicationProtocols = protocols
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = .negotiated
        return try await LoopbackServer.start(tls: tls, configuration: configuration, routes: install)
    }

    private func proxy(asksFor credentials: Credentials? = nil, isSecure: Bool = false) async throws -> LoopbackProxy {
        var configuration = LoopbackProxy.Configuration()
        configuration.credentials = credentials
        if isSecure { configuration.tls = try ServerTLS.issued(by: authority) }
        return try await LoopbackProxy.start(configuration)
    }

    @Test(
        "every kind of proxy reaches plain and secure servers, which don't see its credentials",
        arguments: [
            (Proxy.Scheme.http, false), (.http, true), (.https, false), (.https, true), (.socks5, false),
            (.socks5, true),
            (.socks4a, false), (.socks4a, true),
        ]
    )
    func leadsThere(_ scheme: Proxy.Scheme, _ isSecure: Bool) async throws {
        let user = scheme == .socks4a ? Credentials(user: "ada", password: "") : ada
        let server = try await server(isSecure: isSecure)
        let loopback = try await proxy(asksFor: user, isSecure: scheme == .https)
        let proxy = try loopback.proxy(scheme, credentials: user)
        try await withProxy(proxy, trusting) { transport in
            var request = server.request(host: "site.invalid", headers: [.authorization: "Basic c2l0ZQ=="])
            // The caller's own field: never sent, on any route.
            request.headers[.proxyAuthorization] = "Basic bWluZQ=="
            let answer = try await transport.exchange(request)
            #expect(answer.text == "Basic c2l0ZQ== -")
            #expect(answer.facts.proxy == proxy)
            #expect(answer.facts.remoteAddress == "127.0.0.1:\(loopback.port)")
            request.method = .post
            request.body = .bytes(ByteChunk([UInt8](repeating: 7, count: 100_000)))
            let second = try await transport.exchange(request)
            #expect(second.text == "100000" && second.facts.isReused && second.facts.proxy != nil)
            try await transport.waitForConnections(all: 1, idle: 1)
        }
        let record = loopback.record
        #expect(record.connections == 1)
        let isForward = !isSecure && scheme != .socks5 && scheme != .socks4a
        #expect(record.targets == (isForward ? [] : ["site.invalid:\(server.port)"]))
        let heads = record.heads.joined()
        #expect(!heads.contains("bWluZQ=="))
        #expect(heads.contains("c2l0ZQ==") == isForward)
        await server.shutdown()
    }

    @Test(arguments: [Proxy.Scheme.http, .https, .socks5, .socks4a])
    func credentialsThatAreMissingOrWrongAreARefusal(_ scheme: Proxy.Scheme) async throws {
        let loopback = try await proxy(asksFor: ada, isSecure: scheme == .https)
        let wrong = Credentials(user: "eve", password: scheme == .socks4a ? "" : "secret")
        for (credentials, words) in [(nil, "it requires credentials"), (wrong, "it does not accept")] {
            try await withProxy(try loopback.proxy(scheme, credentials: credentials), trusting) { transport in
                let failure = await transport.failure(
                    TransportRequest(origin: Origin(scheme: .https, host: "site.invalid"))
                )
                #expect(failure?.kind == .proxy && failure?.fate == .unsent, "\(String(describing: failure))")
                let name = "the proxy \(scheme)://\(scheme == .https ? "localhost" : "127.0.0.1"):\(loopback.port)"
                #expect(failure?.message.hasPrefix("\(name) refused the tunnel to site.invalid:443") == true)
                #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
                #expect(failure?.message.contains("secret") == false && failure?.message.contains("eve") == false)
                #expect((failure?.cause as? ProxyRefusal)?.reason == .credentials)
                try await transport.waitForConnections(all: 0, idle: 0)
            }
        }
    }

    @Test("connections of one proxy or user are never used for another") func credentialsKeepConnectionsApart()
        async throws
    {
        let server = try await server(isSecure: false)
        let loopback = try await proxy()
        let transport = NIOTransport()
        let users = [nil, ada, Credentials(user: "ada", password: "Lovelace"), Credentials(user: "bob", password: "x")]
        for turn in 0..<2 {
            for scheme in [Proxy.Scheme.http, .socks5] {
                for user in users {
                    var request = server.request(host: "site.invalid")
                    request.proxy = try loopback.proxy(scheme, credentials: user)
                    #expect(try await transport.exchange(request).facts.isReused == (turn > 0))
                }
            }
        }
        var direct = server.request()
        direct.proxy = nil
        let answer = try await transport.exchange(direct)
        #expect(!answer.facts.isReused && answer.facts.proxy == nil && answer.text == "- -")
        #expect(loopback.record.connections == 8)
        let proofs = loopback.record.heads.map { head in
            head.split(separator: "\r\n").first { $0.hasPrefix("Proxy-Authorization") }
        }
        #expect(proofs.filter { $0 == nil }.count == 2 && Set(proofs).count == 4)
        await transport.shutdown()
        await server.shutdown()
    }

    @Test(
        "HTTP/2 works through tunnels, also inside the proxy's TLS",
        arguments: [Proxy.Scheme.http, .https, .socks5]
    )
    func carriesHTTP2(_ scheme: Proxy.Scheme) async throws {
        let server = try await server(isSecure: true, protocols: ["h2"])
        let loopback = try await proxy(isSecure: scheme == .https)
        try await withProxy(try loopback.proxy(scheme), trusting) { transport in
            let request = server.request(host: "site.invalid")
            async let first = transport.exchange(request)
            async let second = transport.exchange(request)
            let facts = try await [first.facts, second.facts]
            #expect(facts.map(\.protocolName) == ["h2", "h2"] && facts.allSatisfy { $0.proxy != nil })
            #expect(loopback.record.connections == 1)
        }
        await server.shutdown()
    }

    @Test("a pin is compared with the key of its own host, the proxy's or the server's")
    func pinsAreOfTheirHost() async throws {
        let server = try await server(isSecure: true)
        let loopback = try await proxy(isSecure: true)
        let other = try NIOTransport.Configuration.TLS.PublicKeyPin("sha256/" + String(repeating: "A", count: 43) + "=")
        for (host, words) in [
            ("site.invalid", "TLS with https://site.invalid"), ("localhost", "TLS with the proxy https://localhost"),
        ] {
            var configuration = trusting
            configuration.tls.pins[host] = [other]
            try await withProxy(try loopback.proxy(.https), configuration) { transport in
                let failure = await transport.failure(server.request(host: "site.invalid"))
                #expect(failure?.kind == .tls && failure?.message.contains(words) == true, "\(failure as Any)")
                try await transport.waitForConnections(all: 0, idle: 0)
            }
        }
        #expect(server.counts.requestsBegun == 0)
        await server.shutdown()
    }

    @Test("an untrusted proxy learns nothing") func strangersAreToldNothing() async throws {
        let loopback = try await proxy(asksFor: ada, isSecure: true)
        let request = TransportRequest(origin: Origin(scheme: .http, host: "site.invalid"))
        // Its authority is unknown; its certificate is not issued for 127.0.0.9.
        let elsewhere = Proxy(
            .https,
            at: Origin(scheme: .https, host: "elsewhere.invalid", port: loopback.port),
            credentials: ada
        )
        var configuration = trusting
        configuration.addresses["elsewhere.invalid"] = ["127.0.0.1"]
        for (proxy, settings) in [
            (try loopback.proxy(.https, credentials: ada), NIOTransport.Configuration()), (elsewhere, configuration),
        ] {
            try await withProxy(proxy, settings) { transport in
                let failure = await transport.failure(request)
                #expect(failure?.kind == .tls && failure?.fate == .unsent)
                #expect(failure?.message.contains("TLS with the proxy \(proxy)") == true, "\(failure as Any)")
            }
        }
        #expect(loopback.record.heads.isEmpty)
    }

    @Test func aConnectionThatTheProxyHasClosedIsReplaced() async throws {
        let server = try await server(isSecure: false)
        for scheme in [Proxy.Scheme.http, .socks5] {
            let loopback = try await proxy()
            try await withProxy(try loopback.proxy(scheme)) { transport in
                for turn in 1...3 {
                    let answer = try await transport.attempt(server.request(host: "site.invalid"))
                    #expect(answer.text == "- -")
                    #expect(loopback.record.connections == turn)
                    loopback.disconnect()
                }
            }
        }
        await server.shutdown()
    }

    @Test func whatTheProxyCannotReachIsItsRefusal() async throws {
        let loopback = try await proxy()
        try await withProxy(try loopback.proxy(.socks5)) { transport in
            let failure = await transport.failure(
                // Nobody listens there; a port that was let go may be another test's by now.
                TransportRequest(origin: Origin(scheme: .http, host: "site.invalid", port: 1))
            )
            #expect(failure?.kind == .proxy && failure?.fate == .unsent)
            let start = "the proxy socks5://127.0.0.1:\(loopback.port) did not open a tunnel to site.invalid:1: "
            #expect(failure?.message.hasPrefix(start) == true, "\(failure as Any)")
        }
    }

    @Test(
        "a forwarding proxy that sends garbage, or nothing, is named",
        arguments: [
            ("220 mail.example ESMTP\r\n", TransportFailure.Kind.proxy, "the response does not start with HTTP/1."),
            ("\u{15}\u{3}\u{3}", .proxy, "the response is a TLS record, so the proxy's URL must begin with https"),
            ("HTTP/1.1 200 OK\r\nX-Odd: a\u{1}b\r\n\r\n", .malformedResponse, "the value of X-Odd contains a control"),
            ("", .connectionClosed, "the connection was closed before a response"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .truncated, "closed before the body was complete"),
        ] as [(String, TransportFailure.Kind, String)]
    )
    func rubbish(_ answer: String, _ kind: TransportFailure.Kind, _ words: String) async throws {
        let server = try await LoopbackServer.start(
            raw: RawScript([.awaitBytes(1), .send(Array(answer.utf8)), .close])
        )
        let proxy = Proxy(.http, at: Origin(scheme: .http, host: "127.0.0.1", port: server.port))
        try await withProxy(proxy) { transport in
            let failure = await transport.failure(TransportRequest(origin: Origin(scheme: .http, host: "site.invalid")))
            #expect(failure?.kind == kind, "\(failure as Any)")
            #expect(failure?.message.hasPrefix("through the proxy \(proxy): ") == true, "\(failure as Any)")
            #expect(failure?.message.contains(words) == true, "\(failure as Any)")
        }
        await server.shutdown()
    }

    @Test(
        "a SOCKS proxy that refuses is quoted",
        arguments: [
            (Proxy.Scheme.socks5, [[5, 0], [5, 2, 0, 1]], ProxyRefusal.Reason.reply(2), "allow the connection"),
            (.socks5, [[5, 0], [5, 5, 0, 1]], .reply(5), "the host refused the connection"),
            (.socks5, [[5, 0xFF]], .credentials, "it requires credentials"),
            (.socks4a, [[0, 91]], .reply(91), "general failure"),
        ] as [(Proxy.Scheme, [[UInt8]], ProxyRefusal.Reason, String)]
    )
    func isQuoted(
        _ scheme: Proxy.Scheme,
        _ answers: [[UInt8]],
        _ reason: ProxyRefusal.Reason,
        _ words: String
    ) async throws {
        // The greeting and the request of version 5, or the request of version 4a.
        let asked = scheme == .socks5 ? [3, 19] : [22]
        let steps = zip(asked, answers).flatMap { [RawScript.Step.awaitBytes($0), .send($1)] } + [.hold]
        let server = try await LoopbackServer.start(raw: RawScript(steps))
        let proxy = Proxy(scheme, at: Origin(scheme: .http, host: "127.0.0.1", port: server.port))
        try await withProxy(proxy) { transport in
            let failure = await transport.failure(TransportRequest(origin: Origin(scheme: .http, host: "site.invalid")))
            #expect(failure?.kind == .proxy && failure?.message.contains(words) == true, "\(failure as Any)")
            #expect((failure?.cause as? ProxyRefusal)?.reason == reason)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
        await server.shutdown()
    }

    @Test func silenceAndCancellingEndAHandshakeOfSOCKS() async throws {
        let clock = SteppingClock()
        let server = try await LoopbackServer.start(raw: [.awaitBytes(3), .send([5, 0]), .hold])
        let proxy = Proxy(.socks5, at: Origin(scheme: .http, host: "127.0.0.1", port: server.port))
        try await withProxy(proxy) { transport in
            let request = TransportRequest(
                origin: Origin(scheme: .http, host: "site.invalid"),
                deadlines: TransportDeadlines(connect: .seconds(9)),
                clock: clock
            )
            let late = Task { await transport.failure(request) }
            try await server.wait(for: "the greeting") { $0.connectionsAccepted == 1 }
            clock.advance(by: .seconds(10))
            let failure = await late.value
            #expect(failure?.kind == .timeout(.connect))
            #expect(failure?.message.contains("through the proxy \(proxy)") == true, "\(failure as Any)")
            let cancelled = Task { try await transport.exchange(request) }
            try await server.wait(for: "the greeting") { $0.connectionsAccepted == 2 }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            try await server.waitForOpenConnections(0)
        }
        await server.shutdown()
    }

    @Test("a redirect through the same proxy doesn't keep the first host's user") func redirectsTakeNothingAlong()
        async throws
    {
        let away = try await server(isSecure: false)
        let place = "http://away.invalid:\(away.port)/"
        let first = try await LoopbackServer.start { routes in
            routes.get("/") { _ in ServerResponse(.found, headers: [.location: place]) }
        }
        let loopback = try await proxy(asksFor: ada)
        let transport = NIOTransport()
        let site = Resource("http://site.invalid:\(first.port)", transport: transport.watched)
        let route = try loopback.proxy(credentials: ada)
        site.setRules { $0.proxy = .by(route) }
        // As an entry of a netrc file for the first host.
        site.setRules { $0.credentials = Credentials(user: "eve", password: "secret") }
        let answer = try await site.get()
        #expect(answer.text == "- -" && answer.facts.proxy?.credentials == ada)
        let heads = loopback.record.heads
        #expect(
            heads.count == 2 && heads.allSatisfy { $0.contains("\r\nProxy-Authorization: Basic YWRhOmxvdmVsYWNl\r\n") }
        )
        #expect(heads.map { $0.contains("\r\nAuthorization: ") } == [true, false])
        await transport.shutdown()
        for server in [first, away] { await server.shutdown() }
    }

    @Test("a 407 from a server behind a tunnel is its own response, and gets no credentials")
    func aServersOwn407IsItsOwn() async throws {
        let server = try await server(isSecure: false)
        let loopback = try await proxy()
        let transport = NIOTransport()
        let site = Resource("http://site.invalid:\(server.port)", transport: transport.watched)
        let socks = try loopback.proxy(.socks5, credentials: ada)
        site.setRules { $0.proxy = .by(socks) }
        let error = await #expect(throws: CumulusError.self) { try await site["refused"].get(as: String.self) }
        #expect(error?.code == .status)
        let route = try loopback.proxy(credentials: ada)
        site.setRules { $0.proxy = .by(route) }
        let other = await #expect(throws: CumulusError.self) { try await site["refused"].get(as: String.self) }
        #expect(other?.code == .proxy)
        await transport.shutdown()
        await server.shutdown()
    }
}
