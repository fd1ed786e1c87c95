// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

/// Correct servers under load, none of whose frames end a connection.
@Suite(.timeLimit(.minutes(10))) struct HTTP2BusyPeerTests {
    private func bytes(_ count: Int) -> RequestBody { .bytes(ByteChunk([UInt8](repeating: 65, count: count))) }

    @Test("a server that returns its window in small steps, as it reads", arguments: [16, 512, 4_096])
    func smallSteps(step: UInt32) async throws {
        let received = Mutex(0)
        let count = step == 16 ? 200_000 : 2_000_000
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.type == HTTP2Bytes.data else { return [] }
            let total = received.withLock { received in
                received += frame.payload.count
                return received
            }
            if frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "\(total)") }
            let update = HTTP2Bytes.windowUpdate(frame.stream, step) + HTTP2Bytes.windowUpdate(0, step)
            var answer: [UInt8] = []
            for _ in 0..<frame.payload.count / Int(step) { answer += update }
            let rest = UInt32(frame.payload.count % Int(step))
            if rest == 0 { return answer }
            return answer + HTTP2Bytes.windowUpdate(frame.stream, rest) + HTTP2Bytes.windowUpdate(0, rest)
        }) { server, transport in
            try await transport.check(server.request(body: bytes(count)), answers: "\(count)")
            #expect(server.connections == 1)
        }
    }

    @Test func aServerThatRefillsTheWindowToTheLimit() async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings {
                return HTTP2Bytes.settings([(4, 0x7fff_ffff)]) + HTTP2Bytes.windowUpdate(0, 0x7fff_ffff - 65_535)
            }
            if frame.isRequest, frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "ok") }
            guard frame.type == HTTP2Bytes.data, !frame.payload.isEmpty else { return [] }
            let refill = HTTP2Bytes.windowUpdate(0, UInt32(frame.payload.count))
            return frame.flags & 1 == 1 ? refill + HTTP2Bytes.answer(frame.stream, "ok") : refill
        }) { server, transport in
            try await transport.check(server.request(), answers: "ok")
            for count in [1, 16_384, 100_000, 1_000_000] {
                try await transport.check(server.request(body: bytes(count)), answers: "ok")
            }
            #expect(server.connections == 1)
            #expect(!server.frames.contains { $0.frame.type == HTTP2Bytes.goAway })
        }
    }

    @Test func aServerThatRefusesUploadsEarlyAndResetsTheirStreams() async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            return HTTP2Bytes.answer(frame.stream, "no") + HTTP2Bytes.reset(frame.stream, 0)
        }) { server, transport in
            for _ in 0..<1_200 { try await transport.check(server.request(body: bytes(200_000)), answers: "no") }
            #expect(server.connections == 1)
            // The server has ended the streams itself, and learned so from nobody else.
            #expect(!server.frames.contains { $0.frame.type == HTTP2Bytes.reset })
        }
    }

    @Test func aServerThatFlushesNothingBetweenItsContent() async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            let pieces = (0..<3_000).flatMap { _ in
                HTTP2Bytes.data(frame.stream) + HTTP2Bytes.data(frame.stream, "x") + HTTP2Bytes.data(frame.stream)
            }
            return HTTP2Bytes.headers(frame.stream) + pieces + HTTP2Bytes.data(frame.stream, ends: true)
        }) { server, transport in
            try await transport.check(server.request(), answers: String(repeating: "x", count: 3_000))
            #expect(server.connections == 1)
        }
    }

    @Test func aServerThatMeasuresTheRoundTripWithEachPiece() async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            let pieces = (0..<9_000).flatMap { _ in HTTP2Bytes.data(frame.stream, "x") + HTTP2Bytes.ping() }
            return HTTP2Bytes.headers(frame.stream) + pieces + HTTP2Bytes.data(frame.stream, ends: true)
        }) { server, transport in
            try await transport.check(server.request(), answers: String(repeating: "x", count: 9_000))
        }
    }

    @Test func aServerThatBreaksOffManyExchangesLosesNoneOfTheOthers() async throws {
        try await FrameServer.during({ connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            if connection > 1 { return HTTP2Bytes.answer(frame.stream, "new") }
            return frame.stream == 1 ? HTTP2Bytes.headers(1) : HTTP2Bytes.reset(frame.stream, 2)
        }) { server, transport in
            let slow = try await transport.send(server.request())
            // On a busy machine, some of them are too old to count.
            for _ in 0..<3_000 where server.connections < 2 { _ = await transport.failure(server.request()) }
            try await transport.check(server.request(), answers: "new")
            #expect(server.connections == 2)
            // The connection gets no more, and what runs on it may end.
            #expect(try await transport.runningCount() == 1)
            #expect(!server.frames.contains { $0.frame.type == HTTP2Bytes.goAway })
            slow.body.cancel()
        }
    }

    @Test func aServerThatEndsEachConnectionAfterSevenRequestsLosesNoneAndGetsNoneTwice() async throws {
        let seen = Mutex<[Int: Int]>([:])
        let count = SlowTests.rounds(100, of: 300)
        try await FrameServer.during({ connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.type == HTTP2Bytes.data, frame.flags & 1 == 1 else { return [] }
            if frame.stream > 13 { return [] }
            let number = frame.payload.reduce(0) { $0 * 10 + Int($1) - 48 }
            seen.withLock { $0[number, default: 0] += 1 }
            return HTTP2Bytes.answer(frame.stream, "ok") + (frame.stream == 13 ? HTTP2Bytes.goAway(13) : [])
        }) { server, transport in
            try await withThrowingTaskGroup { group in
                for number in 0..<count {
                    let request = server.request(body: .bytes(ByteChunk("\(number)")))
                    group.addTask { try await transport.check(request, answers: "ok", repeating: true) }
                }
                try await group.waitForAll()
            }
        }
        #expect(seen.withLock { $0.count == count && $0.values.allSatisfy { $0 == 1 } })
    }

    @Test("a server that works on two requests at a time, and reads no others", arguments: [40_000, 300_000])
    func twoAtATime(size: Int) async throws {
        let waiting = Mutex(WaitingRequests(atOnce: 2))
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            return waiting.withLock { $0.take(frame) }
        }) { server, transport in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    let request = server.request(body: bytes(size), idle: .seconds(30))
                    group.addTask { try await transport.check(request, answers: "\(size)") }
                }
                try await group.waitForAll()
            }
            #expect(server.connections == 1)
        }
    }
}

/// What a server keeps that gives credit for the requests alone that it works on, the oldest ones.
private struct WaitingRequests {
    let atOnce: Int
    private var order: [Int] = []
    private var received: [Int: Int] = [:]
    private var unread: [Int: Int] = [:]
    private var ended: Set<Int> = []

    init(atOnce: Int) { self.atOnce = atOnce }

    /// The answer to a frame.
    mutating func take(_ frame: HTTP2Bytes) -> [UInt8] {
        if frame.isRequest { order.append(frame.stream) }
        guard frame.type == HTTP2Bytes.data else { return [] }
        received[frame.stream, default: 0] += frame.payload.count
        unread[frame.stream, default: 0] += frame.payload.count
        if frame.flags & 1 == 1 { ended.insert(frame.stream) }
        var answer: [UInt8] = []
        while let stream = order.prefix(atOnce).first(where: { unread[$0] != nil }), let count = unread[stream] {
            unread[stream] = nil
            if count > 0 { answer += HTTP2Bytes.windowUpdate(0, UInt32(count)) }
            if ended.contains(stream) {
                answer += HTTP2Bytes.answer(stream, "\(received[stream] ?? 0)")
                order.removeAll { $0 == stream }
            } else if count > 0 {
                answer += HTTP2Bytes.windowUpdate(stream, UInt32(count))
            }
        }
        return answer
    }
}
