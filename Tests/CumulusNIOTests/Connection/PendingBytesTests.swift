// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import CumulusTesting
import Foundation
import Glibc
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

/// Bytes that the channel has accepted and the system has not: they go first, and their source stays open.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PendingBytesTests {
    @Test("a caller never writes into an earlier request whose response was early")
    func callersWaitForTheChannel() async throws {
        for size in stride(from: 180_000, to: 340_000, by: 16_000) {
            let server = PlainServer(isUnix: true)
            let transport = NIOTransport(configuration: server.configuration)
            async let accepted = blocking {
                let peer = server.accept()
                PlainServer.readHead(peer)
                PlainServer.send(peer, PlainServer.answer)
                return peer
            }
            let body = RequestBody.bytes(ByteChunk([UInt8](repeating: UInt8(ascii: "x"), count: size)))
            try await transport.check(server.request(.post, "/first", body: body), answers: "ok")
            let peer = await accepted
            defer { close(peer) }
            // Only if the body was taken completely is the connection available for another.
            if try await transport.connectionCounts().idle == 1 {
                let bytes = await requests(over: peer, transport, server, expecting: size)
                #expect(bytes.firstIndex { $0 != UInt8(ascii: "x") } == size, "of \(bytes.count) bytes")
            }
            await transport.shutdown(.immediate)
        }
    }

    @Test("a connection is not used again while a body is on its way, although its response is there")
    func bodiesOnTheirWay() async throws {
        // More than the other side's system takes unread, and less than this one's keeps.
        let server = PlainServer(isUnix: false, receiveBuffer: 8_192)
        let transport = NIOTransport(configuration: server.configuration)
        async let accepted = blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            PlainServer.send(peer, PlainServer.answer)
            return peer
        }
        let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 100_000)))
        try await transport.check(server.request(.post, "/first", body: body), answers: "ok")
        close(await accepted)
        #expect(try await transport.connectionCounts().idle == 0)
        // Read to its end, it leaves the connection as it was.
        async let second = blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            var count = 0
            while count < 100_000, case let more = PlainServer.read(peer), !more.isEmpty { count += more.count }
            PlainServer.send(peer, PlainServer.answer)
            return peer
        }
        try await transport.check(server.request(.post, "/second", body: body), answers: "ok")
        #expect(try await transport.connectionCounts().idle == 1)
        close(await second)
        await transport.shutdown(.immediate)
    }

    @Test("after a head that came before the body, a POST takes another connection for 1 s", arguments: [999, 1_000])
    func restsAfterAnEarlyHead(milliseconds: Int) async throws {
        let server = PlainServer(isUnix: false, receiveBuffer: 8_192)
        let transport = NIOTransport(configuration: server.configuration)
        let clock = ManualClock()
        let hasHead = DispatchSemaphore(value: 0)
        async let first = blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            PlainServer.send(peer, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
            hasHead.waitPatiently()
            var count = 0
            while count < 100_000, case let more = PlainServer.read(peer), !more.isEmpty { count += more.count }
            PlainServer.send(peer, "ok")
            return peer
        }
        var request = server.request(.post, body: .bytes(ByteChunk([UInt8](repeating: 1, count: 100_000))))
        request.clock = clock
        let response = try await transport.send(request)
        hasHead.signal()
        while try await response.body.next() != nil {}
        let kept = await first
        clock.advance(by: .milliseconds(milliseconds))
        async let second = blocking {
            let peer = milliseconds < 1_000 ? server.accept() : kept
            PlainServer.readHead(peer)
            PlainServer.send(peer, PlainServer.answer)
            return peer
        }
        request.body = .bytes(ByteChunk("x"))
        try await transport.check(request, answers: "ok")
        #expect(try await transport.connectionCounts().all == (milliseconds < 1_000 ? 2 : 1))
        for peer in Set([kept, await second]) { close(peer) }
        await transport.shutdown(.immediate)
    }

    /// The first request's body and the second request, as received if the second is made while the loops are stopped.
    private func requests(
        over peer: CInt,
        _ transport: NIOTransport,
        _ server: PlainServer,
        expecting size: Int
    ) async -> [UInt8] {
        let stop = LoopStop()
        await blocking { stop.hold() }
        // Room for a caller that would write past the loop.
        var bytes = PlainServer.readAvailable(peer)
        let second = Task { try await transport.exchange(server.request(.get, "/second")) }
        // Time for it to do so; there is no signal for not doing it.
        try? await Task.sleep(for: .milliseconds(30))
        stop.release()
        while bytes.count < size || !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let more = await blocking { PlainServer.read(peer) }
            if more.isEmpty { break }
            bytes += more
        }
        PlainServer.send(peer, PlainServer.answer)
        _ = try? await second.value
        return bytes
    }

    @Test("a file stays open until its last byte is written", arguments: [true, false])
    func fileStaysOpen(isUnix: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([UInt8](repeating: 7, count: 4_000_000), to: "file.bin")
        let sizes =
            isUnix ? stride(from: 180_000, to: 340_000, by: 8_000) : stride(from: 3_000_000, to: 4_000_000, by: 80_000)
        for size in sizes {
            let server = PlainServer(isUnix: isUnix, receiveBuffer: isUnix ? nil : 8_192)
            let transport = NIOTransport(configuration: server.configuration)
            async let taken = blocking {
                let peer = server.accept()
                PlainServer.readHead(peer)
                var count = 0
                while count < size, case let more = PlainServer.read(peer), !more.isEmpty { count += more.count }
                if count == size { PlainServer.send(peer, PlainServer.answer) }
                close(peer)
                return count
            }
            let body = RequestBody.file(FileBody(path: path, length: Int64(size)))
            let failure = await transport.failure(server.request(.post, body: body))
            #expect(failure == nil)
            #expect(await taken == size)
            await transport.shutdown(.immediate)
        }
    }

    @Test("a request that fails with its first bytes does not begin its body")
    func noProducerForADeadConnection() async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport(configuration: server.configuration)
        let (answered, isReset) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread {
            let peer = server.accept()
            PlainServer.readHead(peer)
            PlainServer.send(peer, PlainServer.answer)
            answered.waitPatiently()
            PlainServer.reset(peer)
            isReset.signal()
        }.start()
        let begun = Atomic(0)
        let body = StreamBody(length: 100_000) { _, writer in
            begun.add(1, ordering: .relaxed)
            try await writer.write(ByteChunk([UInt8](repeating: 1, count: 100_000)))
        }
        await withTaskExecutorPreference(transport.executor) {
            await #expect(throws: Never.self) { try await transport.check(server.request(), answers: "ok") }
            // On the loop, so that the request sees the reset, and not before.
            answered.signal()
            isReset.waitPatiently()
            // The replacement connection gets no response.
            var request = server.request(.post, body: .stream(body))
            request.expectsContinue = .seconds(60)
            request.deadlines.idle = .milliseconds(200)
            let failure = await transport.failure(request)
            #expect(failure?.kind == .timeout(.response))
        }
        await transport.shutdown(.graceful)
        #expect(begun.load(ordering: .relaxed) == 0)
    }

    @Test("a shutdown does not wait for a connection that is no longer needed", arguments: [true, false])
    func shutdownAbandonsAttempts(isImmediate: Bool) async throws {
        let server = PlainServer(isUnix: false, backlog: 0)
        var configuration = server.configuration
        // A shutdown that waited for an attempt would take as long.
        configuration.connectTimeout = .seconds(200)
        let transport = NIOTransport(configuration: configuration)
        async let first = transport.exchange(server.request())
        let peer = await blocking { server.accept() }
        PlainServer.readHead(peer)
        // The accept queue is full: another connection hangs.
        let others = (0..<4).map { _ in server.knock() }
        defer { for descriptor in others + [peer] { close(descriptor) } }
        async let second = transport.exchange(server.request())
        // There is no other signal; a loop that only yields would occupy the threads.
        while try await transport.runningCount() < 2 { try await Task.sleep(for: .milliseconds(1)) }
        let started = ContinuousClock.now
        // A graceful shutdown begins while both run, and the second gets the first one's connection.
        let shutdown = isImmediate ? nil : Task { await transport.shutdown(.graceful) }
        PlainServer.send(peer, PlainServer.answer)
        _ = try await first
        await blocking { PlainServer.readHead(peer) }
        PlainServer.send(peer, PlainServer.answer)
        _ = try await second
        if let shutdown { await shutdown.value } else { await transport.shutdown(.immediate) }
        // Half of what it would take otherwise.
        #expect(ContinuousClock.now - started < .seconds(100))
    }
}
#endif
