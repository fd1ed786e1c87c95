// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import Foundation
import Glibc
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import CumulusNIO

/// Requests that meet the end of their connection: the server may have read every byte that was written.
@Suite(.timeLimit(.minutes(10))) struct ClosedBeforeRequestTests {
    /// What a peer does when a POST is about to be written, and afterwards.
    enum Peer: CaseIterable {
        case closes
        /// It ends its direction, reads the POST, and resets the connection before its system has confirmed the bytes.
        ///
        /// The client's system can't distinguish it from one that has closed the connection.
        case endsItsDirectionReadsAndResets
    }

    @Test("a POST that meets the end of a kept connection is not sent again", arguments: Peer.allCases, [1, 100_000])
    func keptConnection(_ peer: Peer, size: Int) async throws {
        let server = PlainServer(isUnix: false)
        var configuration = server.configuration
        configuration.maximumConnectionsPerOrigin = 1
        let transport = NIOTransport(configuration: configuration)
        let (first, hangUp) = (try await hold(transport, server), HangUpClock())
        let received = Mutex(0)
        let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: size)))
        async let failure = transport.failure(post(server, body, hangUp))
        // Polls: the line of waiters has no signal.
        while try await waiterCount(transport) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let engine = try await busyEngine(of: transport)
        // The client has the response before the waiting request looks at its clock, and begins.
        hangUp.arm {
            if peer == .closes { return _ = close(first.peer) }
            // Its system confirms bytes late, as after a few exchanges.
            var isOn: CInt = 0
            setsockopt(first.peer, CInt(IPPROTO_TCP), TCP_QUICKACK, &isOn, socklen_t(MemoryLayout<CInt>.size))
            shutdown(first.peer, CInt(SHUT_WR))
            // The loop writes the request before this, and reads after it.
            engine.eventLoop.execute {
                received.withLock { $0 = PlainServer.readAvailable(first.peer).count }
                PlainServer.reset(first.peer)
            }
        }
        PlainServer.send(first.peer, PlainServer.answer)
        #expect(try await first.exchange.value == "ok")
        #expect(await failure?.kind == .connectionClosed)
        #expect(await failure?.fate == .unknown)
        #expect(await failure?.connectionHadServed == true)
        #expect(received.withLock { $0 > 0 } == (peer != .closes))
        #expect(!server.hasCaller)
        await transport.shutdown(.immediate)
    }

    @Test("a POST that meets the end of a new connection may have been read")
    func newConnection() async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport(configuration: server.configuration)
        let hangUp = HangUpClock()
        hangUp.arm(when: { server.hasCaller }) { close(server.accept()) }
        let failure = await transport.failure(post(server, .bytes(ByteChunk("x")), hangUp))
        #expect(failure?.kind == .connectionClosed)
        #expect(failure?.fate == .unknown)
        await transport.shutdown(.immediate)
    }

    @Test("a body that ends in a reset is not complete, although the reset met a write")
    func resetDuringWrite() async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport(configuration: server.configuration)
        let (first, hangUp) = (try await hold(transport, server), HangUpClock())
        PlainServer.send(first.peer, PlainServer.answer)
        #expect(try await first.exchange.value == "ok")
        var request = post(server, .bytes(ByteChunk([UInt8](repeating: 1, count: 100_000))), hangUp)
        request.expectsContinue = .seconds(1)
        async let failure = transport.failure(request)
        await blocking { PlainServer.readHead(first.peer) }
        let engine = try await busyEngine(of: transport)
        try await engine.eventLoop.submit {
            // The next look at the clock is the one that begins the body.
            hangUp.arm(advancing: .seconds(10)) {
                PlainServer.send(first.peer, "HTTP/1.1 200 OK\r\n\r\nhalf")
                PlainServer.reset(first.peer)
            }
        }.get()
        #expect(await failure?.kind == .truncated)
        await transport.shutdown(.immediate)
    }

    /// A first request, which a peer has read and not responded to.
    private func hold(
        _ transport: NIOTransport,
        _ server: PlainServer
    ) async throws -> (exchange: Task<String, any Error>, peer: CInt) {
        let exchange = Task { try await transport.exchange(server.request()).text }
        let peer = await blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            return peer
        }
        return (exchange, peer)
    }

    /// The engine that has connections.
    private func busyEngine(of transport: NIOTransport) async throws -> LoopEngine {
        for engine in transport.engines where try await engine.eventLoop.submit({ !engine.slots.isEmpty }).get() {
            return engine
        }
        return try #require(transport.engines.first)
    }

    /// The number of requests that wait for a connection.
    private func waiterCount(_ transport: NIOTransport) async throws -> Int {
        var count = 0
        for engine in transport.engines {
            count += try await engine.eventLoop.submit {
                engine.slots.values.reduce(0) { $0 + $1.pool.waiterCount }
            }.get()
        }
        return count
    }

    /// A request whose clock is not looked at for deadlines.
    private func post(_ server: PlainServer, _ body: RequestBody, _ clock: HangUpClock) -> TransportRequest {
        var request = server.request(.post, body: body)
        request.deadlines = TransportDeadlines()
        request.clock = clock
        return request
    }
}

/// A clock that does something on the server's side when a request looks at the time.
private final class HangUpClock: RequestClock {
    private typealias Trap = (condition: @Sendable () -> Bool, advance: Duration, action: @Sendable () -> Void)
    private let trap = Mutex<Trap?>(nil)
    private let offset = Mutex(Duration.zero)

    func arm(
        when condition: @escaping @Sendable () -> Bool = { true },
        advancing advance: Duration = .zero,
        _ action: @escaping @Sendable () -> Void
    ) {
        trap.withLock { $0 = (condition, advance, action) }
    }

    var now: ContinuousClock.Instant {
        trap.withLock { trap in
            guard let (condition, advance, action) = trap, condition() else { return }
            trap = nil
            offset.withLock { $0 += advance }
            action()
        }
        return .now + offset.withLock(\.self)
    }

    func sleep(until instant: ContinuousClock.Instant) async throws {}
}
#endif
