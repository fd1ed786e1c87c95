// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import NIOHPACK
import Synchronization
import Testing

@testable import CumulusNIO

/// Heads beyond one frame, with CONTINUATION frames (RFC 9113 section 6.10).
@Suite(.timeLimit(.minutes(10))) struct HTTP2LargeHeadTests {
    @Test(
        "a head of any size arrives whole, and the ones around it as well",
        arguments: [1_000, 4_000, 12_000, 16_300, 16_384, 22_000, 70_000, 200_000]
    )
    func sizes(size: Int) async throws {
        let token = String(repeating: "t{", count: size / 2)
        try await check { request in
            request.headers[.authorization] = "Bearer \(token)"
        } expecting: { fields in
            fields.first(name: "authorization") == "Bearer \(token)"
        }
        try await check { request in
            request.target = "/?q=\(String(repeating: "x", count: size))"
        } expecting: { fields in
            fields.first(name: ":path")?.utf8.count == size + 4
        }
    }

    @Test func manyFieldsKeepTheirOrder() async throws {
        try await check { request in
            for number in 0..<2_000 { request.headers.append(HTTPField(name: .accept, value: "a/\(number)")) }
        } expecting: { fields in
            fields[canonicalForm: "accept"].map { String($0) } == (0..<2_000).map { "a/\($0)" }
        }
    }

    @Test func secretsAreNeverPutIntoTables() throws {
        var fields = HPACKHeaders([(":method", "GET"), (":scheme", "https"), (":authority", "a"), (":path", "/")])
        fields.add(name: "cookie", value: String(repeating: "c", count: 20_000), indexing: .neverIndexed)
        let head = try #require(HTTP2LargeHead(fields))
        #expect(head.beginning.count == 4)
        // Another frame than the one expected is not completed.
        #expect(head.frames(completing: ByteBuffer(bytes: HTTP2Bytes.ping())) == nil)
        #expect(head.frames(completing: ByteBuffer()) == nil)
    }

    @Test("a head that can't be written ends its own exchange, and none that runs beside it")
    func unwritable() async throws {
        let server = try await FrameServer.start(Self.reply)
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            let small = server.request()
            try await transport.check(small, answers: "ok")
            var unwritable = small
            // NIOHTTP2 takes this value in lower case only.
            unwritable.headers[.te] = "Trailers"
            let refusal = Mutex<TransportFailure?>(nil)
            let body = StreamBody { [unwritable] _, writer in
                try await writer.write(ByteChunk("first"))
                let failure = await transport.failure(unwritable)
                refusal.withLock { $0 = failure }
                try await writer.write(ByteChunk("second"))
            }
            try await transport.check(server.request(body: .stream(body)), answers: "ok")
            let failure = refusal.withLock(\.self)
            #expect(failure?.kind == .invalidRequest)
            #expect(failure?.message == "the request can't be sent over HTTP/2: HTTP/2 forbids a header field")
            #expect(server.connections == 1)
            // What both sides keep about heads may differ now: later requests have another connection.
            try await transport.check(small, answers: "ok")
            #expect(server.connections == 2)
        }
        #expect(server.frames.count { $0.frame.isRequest } == 3)
    }

    /// Answers each request at its end.
    private static let reply: FrameServer.Reply = { _, frame in
        if frame.isSettings { return HTTP2Bytes.settings() }
        let ends = frame.flags & 1 == 1 && (frame.isRequest || frame.type == HTTP2Bytes.data)
        return ends ? HTTP2Bytes.answer(frame.stream, "ok") : []
    }

    /// Sends a changed head, and then a small one, a changed one with a body, and a small one over one connection.
    private func check(
        _ change: (inout TransportRequest) -> Void,
        expecting isExpected: (HPACKHeaders) -> Bool
    ) async throws {
        let server = try await FrameServer.start(Self.reply)
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            var small = server.request()
            small.headers[.userAgent] = "small"
            var large = server.request(body: .bytes(ByteChunk("body")))
            large.headers[.userAgent] = "small"
            change(&large)
            // Without this response, a head over 16 KiB has its own connection.
            for request in [large, small, large, small] { try await transport.check(request, answers: "ok") }
            #expect(Set(server.frames.suffix(4).map(\.connection)).count == 1)
        }
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        decoder.maxHeaderListSize = 1 << 20
        var blocks: [Int: [UInt8]] = [:]
        var matches: [Bool] = []
        let last = server.connections
        for (connection, frame) in server.frames
        where connection == last && (frame.type == HTTP2Bytes.headers || frame.type == 9) {
            #expect(frame.payload.count <= 16_384)
            blocks[frame.stream, default: []] += frame.payload
            guard frame.flags & 4 == 4 else { continue }
            var block = ByteBuffer(bytes: blocks[frame.stream] ?? [])
            let fields = try decoder.decodeHeaders(from: &block)
            #expect(fields.first(name: "user-agent") == "small")
            matches.append(isExpected(fields))
        }
        #expect(matches.suffix(3) == [false, true, false])
    }
}
