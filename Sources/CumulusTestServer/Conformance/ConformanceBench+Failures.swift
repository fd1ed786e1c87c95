// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of servers that are missing, interrupt their responses, or send nonsense.
    var failureBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .refusedConnection: { try await $0.refusedConnection() }
        case .unknownHost: { try await $0.unknownHost() }
        case .closedBeforeTheHead: { try await $0.closedBeforeTheHead() }
        case .closedInTheHead: { try await $0.closedInTheHead() }
        case .resetBeforeTheHead: { try await $0.resetBeforeTheHead() }
        case .truncatedLength: { try await $0.truncatedLength() }
        case .truncatedChunks: { try await $0.truncatedChunks() }
        case .garbageInsteadOfHTTP: { try await $0.garbageInsteadOfHTTP() }
        case .conflictingLengthsAreRefused: { try await $0.conflictingLengthsAreRefused() }
        case .endlessHeaderIsRefused: { try await $0.endlessHeaderIsRefused() }
        default: nil
        }
    }
}

extension ConformanceBench {
    fileprivate func refusedConnection() async throws {
        let server = try await LoopbackServer.start()
        let port = server.port
        await server.shutdown()
        let failure = try await expectFailure([.connect]) { _ = try await exchange(request(port: port)) }
        try expectEqual(failure.fate, .unsent, "the failure's fate")
    }

    fileprivate func unknownHost() async throws {
        let failure = try await expectFailure([.lookup]) {
            _ = try await exchange(request(port: 80, host: "nosuchhost.invalid"))
        }
        try expectEqual(failure.fate, .unsent, "the failure's fate")
    }

    fileprivate func closedBeforeTheHead() async throws {
        for script: RawScript in [[.awaitHead, .close], [.awaitHead]] {
            try await withLoopbackServer(raw: script) { server in
                let failure = try await expectFailure([.connectionClosed]) {
                    _ = try await exchange(request(server, method: .post, body: .bytes(ByteChunk("x"))))
                }
                try expectEqual(failure.fate, .unknown, "the failure's fate")
            }
        }
    }

    fileprivate func closedInTheHead() async throws {
        for part in ["H", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: "] {
            try await withLoopbackServer(raw: .response(part)) { server in
                try await expectFailure([.connectionClosed]) { _ = try await exchange(request(server)) }
            }
        }
    }

    fileprivate func resetBeforeTheHead() async throws {
        try await withLoopbackServer(raw: [.awaitHead, .reset]) { server in
            try await expectFailure([.connectionClosed]) { _ = try await exchange(request(server, method: .post)) }
        }
    }

    /// Expects that the head arrives and the body is interrupted.
    private func expectBrokenBody(_ script: RawScript, _ kinds: [TransportFailure.Kind]) async throws {
        try await withLoopbackServer(raw: script) { server in
            try await expectFailure(kinds) { _ = try await exchange(request(server)) }
            try await waitForEnd(on: server)
        }
    }

    fileprivate func truncatedLength() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
        try await expectBrokenBody([.awaitHead, .send(head + "012345678"), .close], [.truncated])
        try await expectBrokenBody([.awaitHead, .send(head), .close], [.truncated])
    }

    fileprivate func truncatedChunks() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for body in ["5\r\nabc", "3\r\nabc\r\n", "3\r\nabc\r\n0\r\n", "3\r\nabc"] {
            try await expectBrokenBody([.awaitHead, .send(head + body), .close], [.truncated])
        }
        guard isStrict else { return }
        for body in ["xyz\r\nabc\r\n", "3\r\nabcd\r\n0\r\n\r\n", "-1\r\n", "fffffffffffffffff\r\nabc"] {
            try await expectBrokenBody([.awaitHead, .send(head + body), .hold], [.malformedResponse])
        }
    }

    fileprivate func garbageInsteadOfHTTP() async throws {
        var answers = ["SSH-2.0-OpenSSH_9.6\r\n\r\n", "\u{1}\u{2}\u{3}\u{0}\u{4}garbage\r\n\r\n"]
        if isStrict {
            answers += [
                "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nConnection : close\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n",
            ]
        }
        for response in answers {
            try await withLoopbackServer(raw: [.awaitHead, .send(response), .close]) { server in
                try await expectFailure([.malformedResponse]) { _ = try await exchange(request(server)) }
            }
        }
    }

    fileprivate func conflictingLengthsAreRefused() async throws {
        for fields in [
            "Content-Length: 3\r\nContent-Length: 4", "Content-Length: 3, 4", "Content-Length: +3",
            "Content-Length: 99999999999999999999",
            "Transfer-Encoding: chunked, gzip",
        ] {
            let response = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            try await withLoopbackServer(raw: [.awaitHead, .send(response), .close]) { server in
                do {
                    try await expectFailure([.malformedResponse]) { _ = try await exchange(request(server)) }
                } catch let failure as ConformanceFailure {
                    throw ConformanceFailure(reason: "\(fields): \(failure.reason)")
                }
            }
        }
    }

    fileprivate func endlessHeaderIsRefused() async throws {
        let line = Array("X-Filler: \(String(repeating: "f", count: 1000))\r\n".utf8)
        for endless in [line, [UInt8](repeating: 65, count: 1000)] {
            let script: RawScript = [.awaitHead, .send("HTTP/1.1 200 OK\r\nX-Start: "), .repeating(endless)]
            try await withLoopbackServer(raw: script) { server in
                try await expectFailure([.headerTooLarge]) { _ = try await exchange(request(server)) }
                try await waitForEnd(on: server)
                let sent = server.counts.bytesSent
                try expect(sent < 32 * 1024 * 1024, "the server could send \(sent) header bytes that were never read")
            }
        }
    }
}
