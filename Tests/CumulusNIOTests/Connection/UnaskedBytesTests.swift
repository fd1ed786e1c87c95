// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import CumulusTestServer
import Dispatch
import Foundation
import Glibc
import HTTPTypes
import NIOCore
import Testing

@testable import CumulusNIO

/// Signals when a server should send, and that it has.
private final class Cue: Sendable {
    let asked = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
}

/// Unsolicited bytes from a server at an unobserved moment, and a request that begins before they are seen.
@Suite(.serialized, .timeLimit(.minutes(10))) struct UnaskedBytesTests {
    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    @Test("a request that the loop writes doesn't follow unsolicited bytes", arguments: ["bytes", "end"])
    func loopWrites(what: String) async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport()
        let cue = Cue()
        async let served: Void = blocking {
            let first = server.accept()
            PlainServer.readHead(first)
            PlainServer.send(first, PlainServer.answer)
            cue.asked.waitPatiently()
            if what == "end" { shutdown(first, CInt(SHUT_WR)) } else { PlainServer.send(first, Self.evil) }
            cue.done.signal()
            let second = server.accept()
            PlainServer.readHead(second)
            // An announced end shows nothing about the server.
            PlainServer.send(second, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
            #expect(PlainServer.read(first).isEmpty, "the first connection ends without a second request")
            close(first)
            close(second)
        }
        try await transport.check(server.request(), answers: "ok")
        try await transport.waitForConnections(all: 1, idle: 1)
        // Too large for a caller to write, with a method that must not be sent twice.
        let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 20_000)))
        try await whileLoopsStand(cue, server.request(.post, body: body), transport)
        await served
        // Unread bytes are not a sign of a server that closes connections.
        var limits: [Duration] = []
        for engine in transport.engines {
            let limit = try await engine.eventLoop.submit { engine.memory(of: server.request().origin).idleLimit }.get()
            if let limit { limits.append(limit) }
        }
        #expect(limits.count == (what == "end" ? 1 : 0))
        await transport.shutdown(.immediate)
    }

    @Test("the same under TLS, before anything is decrypted", arguments: ["bytes", "farewell"])
    func secured(what: String) async throws {
        let tls = try ServerTLS.selfSigned()
        let server = PlainServer(isUnix: false)
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(tls.rootPEM)
        let transport = NIOTransport(configuration: configuration)
        let cue = Cue()
        async let served: Bool = blocking {
            let (first, second): (CInt, CInt)
            first = server.accept()
            guard let one = try? TLSPeer(first, tls), one.readHead() else { return false }
            one.send(PlainServer.answer)
            cue.asked.waitPatiently()
            if what == "farewell" { one.sayGoodbye() } else { one.send(Self.evil) }
            cue.done.signal()
            second = server.accept()
            guard let other = try? TLSPeer(second, tls), other.readHead() else { return false }
            other.send(PlainServer.answer)
            let hasMore = one.readHead()
            close(first)
            close(second)
            return !hasMore
        }
        var request = server.request(.post)
        request.origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
        request.httpVersion = .http1
        try await transport.check(request, answers: "ok")
        try await transport.waitForConnections(all: 1, idle: 1)
        try await whileLoopsStand(cue, request, transport)
        #expect(await served)
        await transport.shutdown(.immediate)
    }

    @Test("the next in line gets no connection with unsolicited bytes, for large and small bodies")
    func nextInLine() async throws {
        for size in [2, 300_000] {
            let server = PlainServer(isUnix: false)
            var configuration = NIOTransport.Configuration()
            configuration.maximumConnectionsPerOrigin = 1
            let transport = NIOTransport(configuration: configuration)
            async let served: Void = blocking {
                let first = server.accept()
                PlainServer.readHead(first)
                let body = String(repeating: "x", count: size)
                PlainServer.send(first, "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n\(body)\(Self.evil)")
                let second = server.accept()
                PlainServer.readHead(second)
                PlainServer.send(second, PlainServer.answer)
                close(first)
                close(second)
            }
            async let long = transport.exchange(server.request())
            async let next = transport.exchange(server.request(.post, body: .bytes(ByteChunk("x"))))
            // Whichever arrived first.
            let texts = try await [long.text, next.text]
            #expect(texts.contains("ok") && !texts.contains("evil"))
            await served
            await transport.shutdown(.immediate)
        }
    }

    /// Lets a server send while the loops are stopped, then begins a request, and expects its own response.
    private func whileLoopsStand(_ cue: Cue, _ request: TransportRequest, _ transport: NIOTransport) async throws {
        let stop = LoopStop()
        await blocking { stop.hold() }
        cue.asked.signal()
        await blocking { cue.done.waitPatiently() }
        let task = Task { try await transport.exchange(request) }
        // Time for the bytes to reach the loop; there is no signal for their arrival.
        try? await Task.sleep(for: .milliseconds(30))
        stop.release()
        let text = try await task.value.text
        #expect(text == "ok")
    }
}
#endif
