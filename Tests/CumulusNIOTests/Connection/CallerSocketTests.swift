// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import CumulusNIO

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Requests that are written on their caller's thread.
@Suite(.timeLimit(.minutes(10))) struct CallerSocketTests {
    /// A channel whose peer is a plain descriptor.
    private func withPair(_ body: (CallerSocket, CInt, any Channel) async throws -> Void) async throws {
        var pair: [CInt] = [-1, -1]
        #if canImport(Glibc)
        let kind = CInt(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        // The loop doesn't read, as if it were busy.
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false).withConnectedSocket(pair[0]).get()
        let made = try await channel.eventLoop.submit { channel.socket.flatMap { CallerSocket($0) } }.get()
        let socket = try #require(made)
        try await body(socket, pair[1], channel)
        try? await channel.close().get()
        close(pair[1])
    }

    private func exchange(_ body: String = "") throws -> NIOExchange {
        let request = TransportRequest(
            method: .post,
            origin: Origin(scheme: .http, host: "a.example"),
            target: "/x",
            body: .bytes(ByteChunk(body))
        )
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let configuration = NIOTransport.Configuration()
        let engine = LoopEngine(eventLoop: loop, configuration: configuration, tls: TLSContextCache(configuration.tls))
        return NIOExchange(request, outgoing: try OutgoingRequest(request), engine: engine)
    }

    private func received(_ descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func isTaken(_ outcome: CallerSocket.Outcome) -> Bool {
        if case .taken(isWhole: true) = outcome { true } else { false }
    }

    @Test func anOfferEndsInTime() async throws {
        try await withPair { socket, descriptor, _ in
            let exchange = try exchange()
            _ = socket.offer(until: .now - .seconds(1))
            #expect(!isTaken(socket.write(exchange)))
            #expect(received(descriptor).isEmpty)
            _ = socket.offer(until: .now + .seconds(1_000))
            #expect(isTaken(socket.write(exchange)))
        }
    }

    @Test func onlyWhatIsOfferedIsTakenAndOnlyOnce() async throws {
        try await withPair { socket, peer, _ in
            let (first, second) = (try exchange("one"), try exchange("two"))
            #expect(!isTaken(socket.write(first)))
            #expect(socket.offer())
            #expect(isTaken(socket.write(first)))
            #expect(!isTaken(socket.write(second)))
            #expect(received(peer) == "POST /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\n\r\none")
            #expect(socket.takeBegun()?.exchange === first)
            #expect(socket.takeBegun() == nil)
            #expect(received(peer).isEmpty)
        }
    }

    @Test func anOfferThatWasTakenBackIsNone() async throws {
        try await withPair { socket, peer, _ in
            #expect(socket.offer())
            #expect(socket.withdraw() == nil)
            // It is still on the shelf, from which a caller takes it without success.
            #expect(!socket.offer())
            #expect(socket.withdraw() == nil)
            let late = try exchange()
            #expect(!isTaken(socket.write(late)))
            #expect(socket.offer())
            let last = try exchange()
            #expect(isTaken(socket.write(last)))
            #expect(socket.withdraw()?.exchange === last)
            #expect(socket.offer())
            #expect(socket.withdraw(isOffStack: true) == nil)
            // The shelf was cleared: the socket has to be put there again.
            #expect(socket.offer())
            #expect(socket.close())
            #expect(!socket.close())
            #expect(!received(peer).isEmpty)
        }
    }

    @Test("no request follows unsolicited bytes") func bytesThatCameUnasked() async throws {
        try await withPair { socket, peer, _ in
            #expect(socket.offer())
            #expect(send(peer, "HTTP/1.1 200 OK\r\n", 17, 0) == 17)
            let asked = try exchange()
            #expect(!isTaken(socket.write(asked)))
            #expect(received(peer).isEmpty)
        }
    }

    @Test func nothingIsWrittenOnAConnectionThatIsGone() async throws {
        try await withPair { socket, peer, _ in
            #expect(socket.offer())
            shutdown(peer, CInt(SHUT_RDWR))
            let late = try exchange()
            #expect(!isTaken(socket.write(late)))
            #expect(socket.withdraw() == nil)
        }
        try await withPair { socket, peer, channel in
            #expect(socket.offer())
            socket.close()
            let late = try exchange()
            #expect(!isTaken(socket.write(late)))
            #expect(!socket.offer())
            // The connection ends with the last of its descriptors.
            try await channel.close().get()
            var byte: UInt8 = 0
            #expect(recv(peer, &byte, 1, CInt(MSG_DONTWAIT)) == 0)
        }
    }

    @Test func whatFindsNoRoomIsLeftToTheLoop() async throws {
        try await withPair { socket, peer, _ in
            // A peer that doesn't read: the system buffers a few hundred kilobytes for it.
            let body = String(repeating: "x", count: 16_000)
            var written = 16_000
            while written >= 16_000 {
                #expect(socket.offer())
                let one = try exchange(body)
                guard case .taken(let isWhole) = socket.write(one) else { break }
                let begun = try #require(socket.takeBegun())
                #expect(begun.exchange === one)
                #expect(isWhole == (begun.written == one.outgoing.start.readableBytes))
                written = begun.written
            }
            #expect(written < 16_000)
        }
    }

    @Test func theShelfGivesTheLastAndForgets() async throws {
        let (shelf, origin) = (CallerSocketStack(), Origin(scheme: .http, host: "a.example"))
        try await withPair { first, _, _ in
            try await withPair { second, _, _ in
                for socket in [first, second, first] { shelf.put(socket, for: origin) }
                #expect(shelf.take(for: Origin(scheme: .http, host: "b.example")) == nil)
                #expect(shelf.take(for: origin) === first)
                shelf.remove(second, for: origin)
                #expect(shelf.take(for: origin) === first)
                #expect(shelf.take(for: origin) == nil)
                shelf.put(second, for: origin)
                shelf.forget(origin)
                #expect(shelf.take(for: origin) == nil)
            }
        }
    }

    @Test func aRequestWrittenByItsCallerKeepsItsTimeLimitsAndIsCancelled() async throws {
        let clock = SteppingClock()
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .awaitHead, .hold]
        )
        try await withTransport(server) { transport in
            try await transport.check(server.request(clock: clock), answers: "ok")
            let late = Task {
                await transport.failure(server.request(deadlines: .init(idle: .seconds(9)), clock: clock))
            }
            try await server.wait(for: "the second request") { $0.requestsBegun == 2 }
            clock.advance(by: .seconds(10))
            #expect(await late.value?.kind == .timeout(.response))
            try await server.waitForOpenConnections(0)

            try await transport.check(server.request(clock: clock), answers: "ok")
            let dropped = Task { try await transport.exchange(server.request(clock: clock)) }
            try await server.wait(for: "the fourth request") { $0.requestsBegun == 4 }
            dropped.cancel()
            await #expect(throws: CancellationError.self) { try await dropped.value }
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
            #expect(try await transport.runningCount() == 0)
        }
    }

    @Test func callersOfManyThreadsShareTheConnections() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.post("/") { ServerResponse(body: $0.body) }
        }
        try await withTransport(server) { transport in
            try await withThrowingTaskGroup { group in
                for caller in 0..<16 {
                    group.addTask {
                        for number in 0..<40 {
                            let text = "\(caller) \(number)"
                            let body = RequestBody.bytes(ByteChunk(text))
                            try await transport.check(server.request(.post, body: body), answers: text)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.counts.connectionsAccepted <= 16)
            #expect(try await transport.runningCount() == 0)
        }
    }
}
