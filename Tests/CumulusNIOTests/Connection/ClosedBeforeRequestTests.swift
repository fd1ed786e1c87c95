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

/// Requests that met the end of a connection: they are sent again only if the peer's system certainly refused them.
@Suite(.timeLimit(.minutes(10))) struct ClosedBeforeRequestTests {
    /// What a peer does before and after a request of 1,000 bytes arrives.
    enum Peer: CaseIterable {
        case closes
        case closesWithTheRequestUnread
        case readsAndCloses
        case readsAndResets
        case readsHalfAndCloses
        case endsItsDirectionReadsAndCloses

        func actBefore(_ descriptor: CInt) {
            switch self {
            case .closes: close(descriptor)
            case .endsItsDirectionReadsAndCloses: shutdown(descriptor, CInt(SHUT_WR))
            default: break
            }
        }

        func actAfter(_ descriptor: CInt) {
            switch self {
            case .closes: return
            case .closesWithTheRequestUnread: close(descriptor)
            case .readsAndCloses, .endsItsDirectionReadsAndCloses:
                #expect(PlainServer.read(descriptor).count == 1_000)
                close(descriptor)
            case .readsAndResets:
                #expect(PlainServer.read(descriptor).count == 1_000)
                PlainServer.reset(descriptor)
            case .readsHalfAndCloses:
                var half = [UInt8](repeating: 0, count: 500)
                #expect(recv(descriptor, &half, half.count, 0) == 500)
                close(descriptor)
            }
        }
    }

    @Test("only a peer that closed first has certainly not read the request", arguments: Peer.allCases)
    func certainty(_ peer: Peer) async throws {
        let server = PlainServer(isUnix: false)
        let client = server.knock()
        defer { close(client) }
        let accepted = await blocking { server.accept() }
        peer.actBefore(accepted)
        let request = [UInt8](repeating: 1, count: 1_000)
        #expect(send(client, request, request.count, CInt(MSG_NOSIGNAL)) == 1_000)
        peer.actAfter(accepted)
        // The end or the reset.
        var poll = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, 1_000) == 0 {}
        // The end may come before the reset.
        while peer == .closes, poll.revents & Int16(POLLERR) == 0 { _ = Glibc.poll(&poll, 1, 1) }
        #expect(wasClosed(client, before: 1_000) == (peer == .closes))
    }

    @Test("a request of which the peer may have a byte is not certainly refused")
    func partOfTheRequest() async throws {
        let server = PlainServer(isUnix: false)
        let client = server.knock()
        defer { close(client) }
        close(await blocking { server.accept() })
        #expect(send(client, [1, 2], 2, CInt(MSG_NOSIGNAL)) == 2)
        var poll = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        while poll.revents & Int16(POLLERR) == 0 { _ = Glibc.poll(&poll, 1, 1) }
        #expect(!wasClosed(client, before: 3))
    }

    @Test("a POST that meets the end of a kept connection is sent again over another", arguments: [1, 100_000])
    func keptConnection(size: Int) async throws {
        let server = PlainServer(isUnix: false)
        var configuration = server.configuration
        configuration.maximumConnectionsPerOrigin = 1
        let transport = NIOTransport(configuration: configuration)
        let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: size)))
        let (first, hangUp) = (try await hold(transport, server), HangUpClock())
        async let waiting = transport.attempt(post(server, body, hangUp))
        // Polls: the line of waiters has no signal.
        while try await waiterCount(transport) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        // The client has the response before the waiting request looks at its clock, and begins.
        hangUp.arm { close(first.peer) }
        PlainServer.send(first.peer, PlainServer.answer)
        async let answered = blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            var count = 0
            while count < size, case let more = PlainServer.read(peer), !more.isEmpty { count += more.count }
            PlainServer.send(peer, PlainServer.answer)
            close(peer)
            return count
        }
        #expect(try await first.exchange.value == "ok")
        let response = try await waiting
        #expect(response.text == "ok")
        #expect(!response.facts.isReused)
        #expect(await answered == size)
        await transport.shutdown(.immediate)
    }

    @Test("a POST that meets the end of a new connection is known to be unsent")
    func newConnection() async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport(configuration: server.configuration)
        let hangUp = HangUpClock()
        hangUp.arm(when: { server.hasCaller }) { close(server.accept()) }
        let failure = await transport.failure(post(server, .bytes(ByteChunk("x")), hangUp))
        #expect(failure?.kind == .connectionClosed)
        #expect(failure?.fate == .unsent)
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

/// A clock that closes a connection from the other side when a request is about to be written.
private final class HangUpClock: RequestClock {
    private typealias Trap = (condition: @Sendable () -> Bool, action: @Sendable () -> Void)
    private let trap = Mutex<Trap?>(nil)

    func arm(when condition: @escaping @Sendable () -> Bool = { true }, _ action: @escaping @Sendable () -> Void) {
        trap.withLock { $0 = (condition, action) }
    }

    var now: ContinuousClock.Instant {
        trap.withLock { trap in
            guard let (condition, action) = trap, condition() else { return }
            trap = nil
            action()
        }
        return .now
    }

    func sleep(until instant: ContinuousClock.Instant) async throws {}
}
#endif
