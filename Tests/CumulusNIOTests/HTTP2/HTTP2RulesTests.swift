// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusNIO

/// RFC 9113, rule by rule, with a server that violates each of them.
@Suite(.timeLimit(.minutes(10))) struct HTTP2RulesTests {
    @Test("a rule of frames", arguments: HTTP2Rule.frames + HTTP2Rule.meanings)
    func rules(_ rule: HTTP2Rule) async throws { try await check(rule) }

    @Test("a field that HTTP/2 forbids in a head", arguments: HTTP2Rule.fields)
    func heads(_ rule: HTTP2Rule) async throws { try await check(rule) }

    @Test("a field that HTTP/2 forbids in trailers", arguments: HTTP2Rule.fields)
    func trailers(_ rule: HTTP2Rule) async throws {
        // The block without the status at its beginning.
        let block = rule.bytes.dropFirst(10).dropLast(11)
        let bytes = HTTP2Bytes.headers(1) + HTTP2Bytes.headers(1, Array(block), ends: true)
        try await check(HTTP2Rule(rule.name, rule.outcome, bytes))
    }

    /// The first request gets the rule's bytes, any other on its connection or on a new one a valid response.
    private func check(_ rule: HTTP2Rule) async throws {
        let server = try await FrameServer.start { connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            return connection == 1 && frame.stream == 1 ? rule.bytes : HTTP2Bytes.answer(frame.stream, "ok")
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            if case .fine = rule.outcome {
                try await transport.check(server.request(), answers: "ok")
            } else {
                let failure = await transport.failure(server.request())
                #expect(failure?.kind == .malformedResponse && failure?.reason == .invalidHTTP2)
                if let message = failure?.message { expectOurWords(message) }
            }
            try await transport.check(server.request(), answers: "ok")
        }
        switch rule.outcome {
        case .fine:
            #expect(server.connections == 1)
        case .streamError(let code):
            #expect(server.connections == 1)
            #expect(server.frames.contains { $0.frame.type == HTTP2Bytes.reset && $0.frame.number == code })
        case .connectionError(let code):
            #expect(server.connections == 2)
            let ends = server.frames.filter { $0.connection == 1 && $0.frame.type == HTTP2Bytes.goAway }
            #expect(ends.contains { $0.frame.payload.dropFirst(4).prefix(4).elementsEqual(HTTP2Bytes.big(code)) })
        }
    }

    private func expectOurWords(_ message: String) {
        for trace in ["NIO", "file:", ".swift", "(", "Error", "swift-nio"] {
            #expect(!message.contains(trace), "\(message)")
        }
    }
}
