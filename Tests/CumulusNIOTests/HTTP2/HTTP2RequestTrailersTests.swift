// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusNIO

/// The frames of requests with trailers (RFC 9113 section 8.1).
@Suite(.timeLimit(.minutes(10))) struct HTTP2RequestTrailersTests {
    private static let sum = HTTPField.Name("X-Sum") ?? .te

    private func body(_ pieces: [Int], _ trailers: HTTPFields = [Self.sum: "7"]) -> RequestBody {
        .stream(
            StreamBody { _, writer in
                for count in pieces { try await writer.write(ByteChunk([UInt8](repeating: 1, count: count))) }
            } trailers: {
                trailers
            }
        )
    }

    /// Responds to the frame that ends a request.
    private static let reply: FrameServer.Reply = { _, frame in
        if frame.isSettings { return HTTP2Bytes.settings() }
        if frame.isPing { return frame.pong }
        let isContent = frame.type == HTTP2Bytes.data || frame.type == HTTP2Bytes.headers
        return isContent && frame.flags & 1 == 1 ? HTTP2Bytes.answer(frame.stream, "ok") : []
    }

    @Test func trailersEndTheRequestInsteadOfContent() async throws {
        try await FrameServer.during(Self.reply) { server, transport in
            try await transport.check(server.request(body: body([5])), answers: "ok")
            let frames = server.frames.map(\.frame).filter { $0.stream == 1 }
            #expect(frames.map(\.type) == [HTTP2Bytes.headers, HTTP2Bytes.data, HTTP2Bytes.headers])
            // END_HEADERS, and END_STREAM at the end.
            #expect(frames.map(\.flags) == [4, 0, 5])
        }
    }

    @Test func requestWithoutContentHasNoEmptyFrame() async throws {
        try await FrameServer.during(Self.reply) { server, transport in
            try await transport.check(server.request(body: body([])), answers: "ok")
            let frames = server.frames.map(\.frame).filter { $0.stream == 1 }
            #expect(frames.map(\.type) == [HTTP2Bytes.headers, HTTP2Bytes.headers])
            #expect(frames.map(\.flags) == [4, 5])
        }
    }

    @Test func trailersWaitForContentThatTheWindowHoldsBack() async throws {
        let server = try await FrameServer.start { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings([(4, 10)]) }
            if frame.type == HTTP2Bytes.headers, frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "ok") }
            guard frame.type == HTTP2Bytes.data else { return [] }
            return HTTP2Bytes.windowUpdate(frame.stream, UInt32(frame.payload.count))
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            // The window is known from now on.
            try await transport.check(server.request(), answers: "ok")
            try await transport.check(server.request(body: body([25])), answers: "ok")
        }
        let frames = server.frames.map(\.frame).filter { $0.stream == 3 }
        #expect(frames.dropFirst().dropLast().allSatisfy { $0.type == HTTP2Bytes.data && $0.flags == 0 })
        #expect(frames.dropFirst().dropLast().map(\.payload.count).reduce(0, +) == 25)
        #expect(frames.last?.type == HTTP2Bytes.headers && frames.last?.flags == 5)
    }

    @Test func trailersBeyondAFrameFailTheirRequestOnly() async throws {
        try await FrameServer.during(Self.reply) { server, transport in
            let long: HTTPFields = [Self.sum: String(repeating: "x", count: 20_000)]
            let failure = await transport.failure(server.request(body: body([5], long)))
            #expect(failure?.kind == .requestBody && failure?.message == "the trailers are longer than 16384 bytes")
            try await transport.check(server.request(body: body([5])), answers: "ok")
            #expect(server.connections == 1)
            #expect(server.frames.contains { $0.frame.type == HTTP2Bytes.reset && $0.frame.stream == 1 })
        }
    }
}
