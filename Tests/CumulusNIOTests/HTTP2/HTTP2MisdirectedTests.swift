// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

/// Connections on which a server isn't the one to ask (RFC 9110 section 15.5.20), and servers that contradict themselves.
@Suite(.timeLimit(.minutes(10))) struct HTTP2MisdirectedTests {
    /// A whole response with the status 421, written as a literal.
    private static func misdirected(_ stream: Int) -> [UInt8] {
        HTTP2Bytes.headers(stream, [0x08, 3] + Array("421".utf8), ends: true)
    }

    @Test("a connection that said 421 takes no more requests, although another one still runs on it")
    func misdirected() async throws {
        try await FrameServer.during({ connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            if !frame.isRequest { return [] }
            if connection > 1 { return HTTP2Bytes.answer(frame.stream, "right") }
            return frame.stream == 1 ? HTTP2Bytes.headers(1) : Self.misdirected(frame.stream)
        }) { server, transport in
            let slow = try await transport.send(server.request())
            let site = Resource("\(server.request().origin)", transport: transport.watched) { $0.httpVersion = .http2 }
            for _ in 1...3 {
                let response = try await site.post(.text("x"))
                #expect(response.text == "right")
            }
            #expect(server.connections == 2)
            #expect(server.frames.count { $0.frame.isRequest && $0.connection == 1 } == 2)
            slow.body.cancel()
        }
    }

    @Test("a server that is wrong on each connection is asked twice, and its second connection is kept")
    func alwaysMisdirected() async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            return frame.isRequest ? Self.misdirected(frame.stream) : []
        }) { server, transport in
            let site = Resource("\(server.request().origin)", transport: transport.watched) { $0.httpVersion = .http2 }
            let response = try await site.get()
            #expect(response.status == .misdirectedRequest)
            #expect(server.connections == 2)
        }
    }

    @Test("a first notice of the end, as high as it can be, is no progress: such a server is asked four times")
    func highNotice() async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            return frame.isRequest ? HTTP2Bytes.goAway(Int(Int32.max)) + HTTP2Bytes.goAway(0) : []
        }) { server, transport in
            #expect(await transport.failure(server.request(), repeating: true)?.fate == .unprocessed)
            #expect(server.connections == 4)
        }
    }

    @Test("a server that takes back what it has begun to answer is not believed", arguments: [true, false])
    func takenBack(isReset: Bool) async throws {
        try await FrameServer.during({ _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            return HTTP2Bytes.headers(1) + (isReset ? HTTP2Bytes.reset(1, 7) : HTTP2Bytes.goAway(0))
        }) { server, transport in
            let failure = await transport.failure(server.request(body: .bytes(ByteChunk("x"))), repeating: true)
            #expect(failure?.kind == .truncated && failure?.fate == .unknown)
            #expect(server.frames.count { $0.frame.isRequest } == 1)
        }
    }
}
