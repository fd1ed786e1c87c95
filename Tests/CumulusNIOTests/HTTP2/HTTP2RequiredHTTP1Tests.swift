// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Testing

@testable import CumulusNIO

/// Servers that agree to HTTP/2 and then require HTTP/1.1 for a request (RFC 9113 section 7).
@Suite(.timeLimit(.minutes(10))) struct HTTP2RequiredHTTP1Tests {
    private func check(
        _ reply: @escaping FrameServer.Reply,
        _ body: (FrameServer, NIOTransport, _ request: TransportRequest) async throws -> Void
    ) async throws {
        let (server, configuration) = try await FrameServer.startSecure(reply)
        defer { server.shutdown() }
        var request = server.secureRequest()
        request.method = .post
        request.body = .bytes(ByteChunk("once"))
        try await NIOTransport.withTransport(configuration) { [request] in try await body(server, $0, request) }
    }

    private static let reset: FrameServer.Reply = { _, frame in
        if frame.isSettings { return HTTP2Bytes.settings() }
        guard frame.type == HTTP2Bytes.data else { return [] }
        return HTTP2Bytes.reset(frame.stream, 13)
    }

    @Test("the request goes out again over HTTP/1.1, whatever its method, and so do all later ones")
    func stream() async throws {
        try await check(Self.reset) { server, transport, request in
            for _ in 0..<3 {
                let response = try await transport.attempt(request)
                #expect(response.text == "plain" && response.facts.protocolName == "HTTP/1.1")
            }
            #expect(server.connections == 2)
            #expect(server.frames.count { $0.frame.isRequest } == 1)
            #expect(server.plain.split(separator: "POST / HTTP/1.1").count == 3)
        }
    }

    @Test func theWholeConnectionMayRequireIt() async throws {
        try await check({ _, frame in
            frame.isSettings ? HTTP2Bytes.settings() : frame.isRequest ? HTTP2Bytes.goAway(0, 13) : []
        }) { _, transport, request in
            try await transport.check(request, answers: "plain", repeating: true)
        }
    }

    @Test func aRequestThatRequiresHTTP2FailsWithTheReason() async throws {
        try await check(Self.reset) { server, transport, request in
            var request = request
            request.httpVersion = .http2
            let failure = await transport.failure(request)
            #expect(failure?.message.contains("HTTP_1_1_REQUIRED") == true)
            #expect(server.plain.isEmpty)
        }
    }

    @Test func aBodyThatCantBeProducedAgainIsNotSentAgain() async throws {
        try await check(Self.reset) { server, transport, request in
            var request = request
            request.body = .stream(StreamBody { _, writer in try await writer.write(ByteChunk("once")) })
            #expect(await transport.failure(request)?.kind == .connectionClosed)
            #expect(server.plain.isEmpty)
        }
    }
}
