// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of connections.
    var connectionBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .connectionsAreReused: { try await $0.connectionsAreReused() }
        case .connectionsAreReusedAfterUploads: { try await $0.connectionsAreReusedAfterUploads() }
        case .closedConnectionsAreNotReused: { try await $0.closedConnectionsAreNotReused() }
        case .closedKeptConnectionIsReported: { try await $0.closedKeptConnectionIsReported() }
        case .newConnectionIsNoKeptOne: { try await $0.newConnectionIsNoKeptOne() }
        case .fiftyExchangesAtOnce: { try await $0.fiftyExchangesAtOnce() }
        case .factsAreThere: { try await $0.factsAreThere() }
        default: nil
        }
    }
}

extension ConformanceBench {
    fileprivate func connectionsAreReused() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { .text("\($0.numberOnConnection)") }
            $0.get("/chunks") { _ in .script([.chunk([65]), .chunk([66])]) }
            $0.get("/none") { _ in ServerResponse(.noContent) }
        }) { server in
            for (verb, target) in [
                (HTTPRequest.Method.get, "/x"), (.head, "/x"), (.get, "/chunks"), (.get, "/none"), (.get, "/x"),
            ] {
                _ = try await exchange(request(server, target, method: verb))
            }
            try expectEqual(server.counts.connectionsAccepted, 1, "the count of connections")
            try expectEqual(server.requests.last?.numberOnConnection, 5, "the number on its connection")
        }
    }

    fileprivate func connectionsAreReusedAfterUploads() async throws {
        try await withLoopbackServer(routes: { $0.post("/x") { .text($0.text) } }) { server in
            let stream = RequestBody.stream(StreamBody { _, writer in try await writer.write(ByteChunk("streamed")) })
            for body in [RequestBody.none, .bytes(ByteChunk("bytes")), stream, .none] {
                _ = try await exchange(request(server, method: .post, body: body))
            }
            try expectEqual(server.counts.connectionsAccepted, 1, "the count of connections")
        }
    }

    fileprivate func closedKeptConnectionIsReported() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        for method in [HTTPRequest.Method.get, .post] {
            try await withLoopbackServer(raw: [.awaitHead, .send(ok), .awaitHead, .close]) { server in
                _ = try await exchange(request(server))
                let failure = try await expectFailure([.connectionClosed]) {
                    _ = try await exchange(request(server, method: method))
                }
                try expectEqual(failure.fate, .unknown, "the failure's fate")
                try expect(failure.connectionHadServed, "the failure does not report that the connection was kept")
                try expectEqual(server.counts.connectionsAccepted, 1, "the count of connections")
            }
            try await withLoopbackServer(raw: [.awaitHead, .close]) { server in
                let failure = try await expectFailure([.connectionClosed]) {
                    _ = try await exchange(request(server, method: method))
                }
                try expect(!failure.connectionHadServed, "the failure reports that a new connection was kept")
            }
        }
    }

    fileprivate func newConnectionIsNoKeptOne() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { .text("\($0.numberOnConnection)") } }) { server in
            var fresh = request(server)
            fresh.connection = .new
            for next in [request(server), fresh, request(server)] { _ = try await exchange(next) }
            try expectEqual(server.requests.map(\.numberOnConnection).prefix(2), [1, 1], "the numbers")
        }
    }

    fileprivate func closedConnectionsAreNotReused() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                var response = ServerResponse.text("last")
                response.closesConnection = true
                return response
            }
        }) { server in
            for _ in 1...3 {
                let response = try await exchange(request(server))
                try expectEqual(response.text, "last", "the body")
            }
            try expectEqual(server.counts.connectionsAccepted, 3, "the count of connections")
        }
    }

    fileprivate func fiftyExchangesAtOnce() async throws {
        try await withLoopbackServer(routes: {
            $0.post("/:n") { request in
                // The first responses arrive last, so that mixed-up responses are noticed.
                let number = request.parameters["n"].flatMap { Int($0) } ?? 0
                try await Task.sleep(for: .milliseconds((50 - number) % 7))
                return ServerResponse(body: request.body)
            }
        }) { server in
            try await withThrowingTaskGroup { group in
                for number in 0..<50 {
                    group.addTask {
                        let bytes = [UInt8](repeating: UInt8(number), count: 1000 * number)
                        let body = RequestBody.bytes(ByteChunk(bytes))
                        let response = try await exchange(request(server, "/\(number)", method: .post, body: body))
                        try expectBytes(response.body, bytes, "the body of exchange \(number)")
                    }
                }
                try await group.waitForAll()
            }
            // The server counts a response shortly after it has sent the last byte.
            try await server.wait(for: "50 answers") { $0.requestsAnswered == 50 }
        }
    }

    fileprivate func factsAreThere() async throws {
        try await withLoopbackServer(routes: { $0.post("/x") { _ in .text("0123456789") } }) { server in
            let body = RequestBody.bytes(ByteChunk("01234"))
            let first = try await exchange(request(server, method: .post, body: body)).end?.facts
            let second = try await exchange(request(server, method: .post, body: body)).end?.facts
            guard let first, let second else { throw ConformanceFailure(reason: "the exchange reports no facts") }
            try expectEqual(first.isReused, false, "isReused at first")
            try expectEqual(second.isReused, true, "isReused then")
            try expectEqual(first.protocolName, list.httpVersion == .http2 ? "h2" : "HTTP/1.1", "the protocol")
            try expectEqual(first.remoteAddress, "127.0.0.1:\(server.port)", "the peer's address")
            try expect(
                first.localAddress?.begins(with: "127.0.0.1:") == true,
                "the address is \(first.localAddress ?? "-")"
            )
            try expect(first.bytesSent > 5 && first.bytesSent < 1000, "bytesSent is \(first.bytesSent)")
            // The server counts its written bytes shortly after the client has read them.
            for _ in 0..<10_000
            where server.counts.bytesSent < (list.httpVersion == .http2 ? 20 : 2 * Int(first.bytesReceived)) {
                try await Task.sleep(for: .milliseconds(1))
            }
            // With HTTP/2 the server only counts bodies.
            let frames = list.httpVersion == .http2 ? first.bytesReceived - 10 : 0
            try expect((0..<1000).contains(frames), "bytesReceived is \(first.bytesReceived)")
            try expectEqual(first.bytesReceived - frames, Int64(server.counts.bytesSent / 2), "bytesReceived")
            try expect(first.phases.connect != nil, "there is no connect phase")
            try expect(second.phases.connect == nil, "a reused connection has a connect phase")
            guard let firstByte = first.phases.firstByte, let lastByte = first.phases.lastByte else {
                throw ConformanceFailure(reason: "the phase firstByte or lastByte is missing")
            }
            try expect(firstByte > .zero && firstByte <= lastByte, "firstByte \(firstByte), lastByte \(lastByte)")
        }
    }
}
