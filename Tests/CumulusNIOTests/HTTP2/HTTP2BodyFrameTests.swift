// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Synchronization
import Testing

@testable import CumulusNIO

/// How request bodies are cut into frames, for servers that take small ones for an attack.
@Suite(.timeLimit(.minutes(10))) struct HTTP2BodyFrameTests {
    /// Returns each frame's credit at once, and answers at the end.
    private static let reply: FrameServer.Reply = { _, frame in
        if frame.isSettings { return HTTP2Bytes.settings() }
        guard frame.type == HTTP2Bytes.data else { return [] }
        if frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "ok") }
        let count = UInt32(frame.payload.count)
        return HTTP2Bytes.windowUpdate(frame.stream, count) + HTTP2Bytes.windowUpdate(0, count)
    }

    /// The sizes of a body's frames, and whether only the last ends it.
    private func sizes(_ body: RequestBody) async throws -> [Int] {
        let server = try await FrameServer.start(Self.reply)
        defer { server.shutdown() }
        try await NIOTransport.withTransport { try await $0.check(server.request(body: body), answers: "ok") }
        let frames = server.frames.map(\.frame).filter { $0.type == HTTP2Bytes.data }
        #expect(frames.dropLast().allSatisfy { $0.flags & 1 == 0 } && frames.last?.flags == 1)
        return frames.map(\.payload.count)
    }

    private func check(_ sizes: [Int], of count: Int) {
        #expect(sizes.reduce(0, +) == count)
        #expect(sizes.last ?? 0 > 0, "an empty frame ends the body")
        #expect(sizes.dropLast().allSatisfy { $0 >= 16_383 }, "\(sizes)")
    }

    private static let counts = [1, 100, 16_383, 16_384, 16_385, 65_535, 65_536, 100_000, 1_000_000]

    @Test("bytes go out in full frames, the last of which ends the body", arguments: counts)
    func bytes(count: Int) async throws {
        check(try await sizes(.bytes(ByteChunk([UInt8](repeating: 1, count: count)))), of: count)
    }

    @Test("so does a file", arguments: counts)
    func file(count: Int) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-frames-\(UUID()).bin").path
        try Data(repeating: 2, count: count).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        check(try await sizes(.file(FileBody(path: path, length: Int64(count)))), of: count)
    }

    @Test("so does a stream of a known length, however small its pieces", arguments: counts)
    func stream(count: Int) async throws {
        let body = StreamBody(length: Int64(count)) { _, writer in
            var left = count
            while left > 0 {
                let size = min(left, 9_000)
                try await writer.write(ByteChunk([UInt8](repeating: 3, count: size)))
                left -= size
            }
        }
        let sizes = try await sizes(.stream(body))
        #expect(sizes.reduce(0, +) == count && sizes.last ?? 0 > 0)
    }

    @Test func nothingIsSentOnAStreamThatTheServerHasEnded() async throws {
        let server = try await FrameServer.start { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            if frame.isPing { return frame.pong }
            // The end, and then room for all the rest.
            guard frame.type == HTTP2Bytes.data, frame.payload.count == 16_383 else { return [] }
            return HTTP2Bytes.answer(frame.stream, "no") + HTTP2Bytes.windowUpdate(0, 1 << 20)
                + HTTP2Bytes.windowUpdate(frame.stream, 1 << 20)
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 1_000_000)))
            try await transport.check(server.request(body: body), answers: "no")
            // The window of the connection is as it was: it carries another body.
            try await transport.check(server.request(body: body), answers: "no")
            #expect(server.connections == 1)
        }
        for _ in 0..<100_000 where !server.frames.contains(where: { $0.frame.type == HTTP2Bytes.goAway }) {
            // There is no signal for the other side's reading.
            try await Task.sleep(for: .milliseconds(1))
        }
        for stream in [1, 3] {
            let frames = server.frames.map(\.frame).filter { $0.stream == stream }
            #expect(frames.filter { $0.type == HTTP2Bytes.data }.map(\.payload.count).reduce(0, +) == 65_535)
            #expect(frames.last?.type == HTTP2Bytes.reset && frames.last?.number == 8)
        }
    }

    @Test func uploadsWhoseWindowsOpenOnceAndForAllReachTheirEnd() async throws {
        let received = Mutex([Int: Int]())
        let server = try await FrameServer.start { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings([(4, 20_000)]) }
            guard frame.type == HTTP2Bytes.data else { return [] }
            let isFirst = received.withLock { received in
                let isFirst = received.isEmpty
                received[frame.stream, default: 0] += frame.payload.count
                return isFirst
            }
            if frame.flags & 1 == 1 {
                return HTTP2Bytes.answer(frame.stream, received.withLock { "\($0[frame.stream] ?? 0)" })
            }
            // Nothing comes after it that would have the client look at its uploads again.
            return isFirst ? HTTP2Bytes.windowUpdate(0, 1 << 30) + HTTP2Bytes.settings([(4, 1 << 30)]) : []
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<3 {
                    let count = 4_000_000 + index
                    let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: count)))
                    group.addTask { try await transport.check(server.request(body: body), answers: "\(count)") }
                }
                try await group.waitForAll()
            }
            #expect(server.connections == 1)
        }
    }

    @Test func aServerThatGivesCreditOnlyWhenItHasAllBytesIsNotWaitedForForever() async throws {
        let received = Mutex(0)
        let server = try await FrameServer.start { _, frame in
            // A window of 20,000 bytes, returned when it is used up.
            if frame.isSettings { return HTTP2Bytes.settings([(4, 20_000)]) }
            if frame.isRequest, frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "ok") }
            guard frame.type == HTTP2Bytes.data else { return [] }
            if frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "ok") }
            let isUsedUp = received.withLock { received in
                received += frame.payload.count
                return received % 20_000 == 0
            }
            if !isUsedUp { return [] }
            return HTTP2Bytes.windowUpdate(frame.stream, 20_000) + HTTP2Bytes.windowUpdate(0, 20_000)
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            try await transport.check(server.request(), answers: "ok")
            let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 90_000)))
            try await transport.check(server.request(body: body), answers: "ok")
        }
    }
}
