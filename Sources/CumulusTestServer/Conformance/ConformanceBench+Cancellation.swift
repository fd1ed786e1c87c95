// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of exchanges that are cancelled, or whose body is read slowly.
    var cancellationBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .cancelledBeforeSending: { try await $0.cancelledBeforeSending() }
        case .cancelledBeforeTheHead: { try await $0.cancelledBeforeTheHead() }
        case .cancelledInTheBody: { try await $0.cancelledInTheBody() }
        case .cancelledWhileUploading: { try await $0.cancelledWhileUploading() }
        case .droppedBodyEndsTheExchange: { try await $0.droppedBodyEndsTheExchange() }
        case .unreadBodyHoldsTheServerBack: { try await $0.unreadBodyHoldsTheServerBack() }
        default: nil
        }
    }
}

extension ConformanceBench {
    private static func endless(_ routes: inout Routes) {
        routes.get("/endless") { _ in .script([.repeating([UInt8](repeating: 65, count: 64 * 1024))]) }
        routes.get("/started") { _ in .script([.chunk(Array("started".utf8)), .hold]) }
        routes.get("/silent") { _ in .silence }
        routes.get("/x") { _ in .text("fine") }
    }

    /// Expects that the transport still works after the case.
    private func expectStillWorking(_ server: LoopbackServer) async throws {
        try expectEqual(try await exchange(request(server)).text, "fine", "the next response")
    }

    fileprivate func cancelledBeforeSending() async throws {
        try await withLoopbackServer(routes: Self.endless) { server in
            let gate = Gate()
            let work = Task {
                // Continues with the task already cancelled.
                try? await gate.wait()
                _ = try await exchange(request(server))
            }
            work.cancel()
            try await expectCancellation(work)
            try expectEqual(server.counts.requestsBegun, 0, "the count of requests")
            try await expectStillWorking(server)
        }
    }

    fileprivate func cancelledBeforeTheHead() async throws {
        try await withLoopbackServer(routes: Self.endless) { server in
            let work = Task { _ = try await exchange(request(server, "/silent")) }
            try await server.waitForRequests(1)
            work.cancel()
            try await expectCancellation(work)
            try await waitForEnd(on: server)
            try await expectStillWorking(server)
        }
    }

    fileprivate func cancelledInTheBody() async throws {
        try await withLoopbackServer(routes: Self.endless) { server in
            let reading = Gate()
            let work = Task {
                let response = try await transport.send(request(server, "/started"))
                let first = try await response.body.next()
                try expect(first != nil, "the body ended")
                reading.open()
                _ = try await response.body.next()
            }
            try await reading.wait()
            work.cancel()
            try await expectCancellation(work)
            try await waitForEnd(on: server)
            try await expectStillWorking(server)
        }
    }

    fileprivate func cancelledWhileUploading() async throws {
        try await withLoopbackServer(routes: {
            Self.endless(&$0)
            $0.post("/x") { _ in .text("whole") }
        }) { server in
            let producing = Gate()
            let ended = Gate()
            let body = StreamBody { _, writer in
                do {
                    try await writer.write(ByteChunk("some"))
                    producing.open()
                    try await Gate().wait()
                } catch {
                    ended.open()
                    throw error
                }
            }
            let work = Task { _ = try await exchange(request(server, method: .post, body: .stream(body))) }
            try await producing.wait()
            work.cancel()
            try await expectCancellation(work)
            // The producer's task belongs to the exchange and ends with it.
            try await ended.wait()
            try await waitForEnd(on: server)
            try expectEqual(server.counts.requestsReceived, 0, "the count of whole requests")
            try await expectStillWorking(server)
        }
    }

    fileprivate func droppedBodyEndsTheExchange() async throws {
        try await withLoopbackServer(routes: Self.endless) { server in
            for target in ["/started", "/endless"] {
                let status = try await transport.send(request(server, target)).head.status.code
                try expectEqual(status, 200, "the status")
                try await waitForEnd(on: server)
            }
            let response = try await transport.send(request(server, "/started"))
            _ = try await response.body.next()
            response.body.cancel()
            try await waitForEnd(on: server)
            try await expectStillWorking(server)
        }
    }

    fileprivate func unreadBodyHoldsTheServerBack() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                let piece = [UInt8](repeating: 65, count: 64 * 1024)
                return .script(Array(repeating: .chunk(piece), count: 1024), framing: .contentLength(64 * 1024 * 1024))
            }
        }) { server in
            let response = try await transport.send(request(server))
            _ = try await response.body.next()
            let sent = try await server.waitForSendingToStall()
            try expect(sent < 32 * 1024 * 1024, "the server could send \(sent) bytes that were never read")
            // The rest arrives when it is requested.
            var count = 0
            while let chunk = try await response.body.next() { count += chunk.count }
            try expect(count > 63 * 1024 * 1024 && count < 64 * 1024 * 1024, "\(count) bytes followed the first")
        }
    }
}
