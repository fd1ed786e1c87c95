// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct TunnelResponseTests {
    /// The verdict on a response that arrives in pieces of `size` bytes.
    private func verdict(_ text: String, every size: Int = .max) -> Result<Bool, TunnelProblem> {
        Result { () throws(TunnelProblem) in
            var answer = TunnelResponse()
            var bytes = ByteBuffer(string: text)
            var isOpen = false
            while let piece = bytes.readSlice(length: min(size, bytes.readableBytes)), piece.readableBytes > 0 {
                isOpen = try answer.receive(piece)
            }
            return isOpen
        }
    }

    @Test(
        "any 2xx opens the tunnel, regardless of fields about a body",
        arguments: [
            "HTTP/1.1 200 Connection established\r\n\r\n",
            "HTTP/1.0 200\r\nProxy-agent: x\r\n\r\n",
            "HTTP/1.1 299 Odd\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 204 None\r\nContent-Length: 1, 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\nTransfer-Encoding: odd\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        ]
    )
    func opens(_ text: String) {
        for size in [1, 2, 3, 7, .max] { #expect(verdict(text, every: size) == .success(true), "\(size)") }
        for count in 0..<text.utf8.count {
            #expect(verdict(String(decoding: text.utf8.prefix(count), as: UTF8.self)) == .success(false))
        }
    }

    @Test(arguments: [300, 401, 403, 407, 500, 502, 999]) func anythingElseIsARefusal(_ status: Int) {
        let text = "HTTP/1.1 \(status) No\r\nContent-Length: 3\r\n\r\nno!"
        #expect(verdict(text) == .failure(.refused(status: status)))
        #expect(verdict(text, every: 1) == .failure(.refused(status: status)))
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\n!", TunnelProblem.unaskedBytes),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!", .unaskedBytes),
        ("HTTP/1.1 200 OK\n\n", .ambiguous),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .ambiguous),
        ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .ambiguous),
        ("HTTP/1.1 103 Hints\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", .ambiguous),
        ("SSH-2.0-x\r\n", .unreadable(.notHTTP)),
        ("HTTP/1.1 2000 OK\r\n\r\n", .unreadable(.malformedStatusLine)),
        ("HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", .unreadable(.controlCharacter(in: "A"))),
        ("HTTP/1.1 101 Switching\r\n\r\n", .unreadable(.unexpectedUpgrade)),
        ("HTTP/1.1 502 No\r\nContent-Length: x\r\n\r\n", .unreadable(.malformedContentLength)),
    ])
    func refusesWhatIsNoAnswer(_ text: String, _ problem: TunnelProblem) {
        #expect(verdict(text) == .failure(problem))
    }

    @Test func boundsAnAnswer() {
        let long = "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 70_000)
        #expect(verdict(long) == .failure(.unreadable(.headTooLarge(limit: 65_536))))
        #expect(verdict(long, every: 999) == .failure(.unreadable(.headTooLarge(limit: 65_536))))
        let lines = "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 501)
        #expect(verdict(lines) == .failure(.unreadable(.tooManyLines(limit: 500))))
        let hints = String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 11)
        #expect(verdict(hints) == .failure(.unreadable(.tooManyInformationalResponses(limit: 10))))
    }

    @Test func tellsAnEndBeforeTheAnswerFromOneInside() throws {
        var answer = TunnelResponse()
        #expect(answer.finish() == .unreadable(.closedBeforeResponse))
        var cut = TunnelResponse()
        #expect(try !cut.receive(ByteBuffer(string: "HTTP/1.1 2")))
        #expect(cut.finish() == .unreadable(.truncatedHead))
    }

    /// A channel before its tunnel, with an attempt that only the tunnel knows.
    private func channel(_ body: (ProxyHandshake, EmbeddedChannel) throws -> Void) throws {
        let configuration = NIOTransport.Configuration()
        let engine = LoopEngine(
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            configuration: configuration,
            tls: TLSContextCache(configuration.tls)
        )
        let origin = Origin(scheme: .https, host: "a.example")
        let proxy = Proxy(origin: Origin(scheme: .http, host: "127.0.0.1"))
        let key = OriginSlot.Key(origin: origin, version: .http1, offersIdentity: false, route: .proxy(proxy))
        let slot = OriginSlot(key: key, maximum: 1, isShared: false)
        let attempt = ConnectionAttempt(engine: engine, slot: slot, number: 0, clock: SystemClock())
        let dialog = try ProxyDialog(with: proxy, to: origin)
        let tunnel = ProxyHandshake(dialog, securing: false, attempt: attempt)
        let channel = EmbeddedChannel(handler: tunnel)
        // An embedded channel does it at once.
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try body(tunnel, channel)
        _ = try? channel.finish()
    }

    @Test func asksWhenItIsChosen() throws {
        try channel { tunnel, channel in
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
            tunnel.open()
            let asked = try #require(try channel.readOutbound(as: ByteBuffer.self))
            #expect(String(buffer: asked) == "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
        }
    }

    @Test func aProxyThatSpeaksFirstIsAskedNothing() throws {
        try channel { tunnel, channel in
            try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"))
            tunnel.open()
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
            #expect(!channel.isActive)
        }
    }
}
