// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct ContinueTests {
    private static let body = [UInt8](repeating: 0x61, count: 100_000)

    private func request(_ server: LoopbackServer, waiting wait: Duration, clock: any RequestClock = SystemClock())
        -> TransportRequest
    {
        var request = server.request(.put, body: .bytes(ByteChunk(Self.body)), clock: clock)
        request.expectsContinue = wait
        return request
    }

    @Test func aBodyGoesWhenTheServerWantsIt() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.put("/") { request in .text("\(request.headers[.expect] ?? "nothing") \(request.body.count)") }
        }
        try await withTransport(server) { transport in
            let clock = SteppingClock()
            for isReused in [false, true] {
                // With a stopped clock, only the server's permission can start the body.
                let answer = try await transport.exchange(request(server, waiting: .seconds(1), clock: clock))
                #expect(answer.text == "100-continue 100000")
                #expect(answer.facts.isReused == isReused)
            }
        }
    }

    @Test func aRefusalSparesTheBody() async throws {
        let server = try await LoopbackServer.start(rawFor: { number in
            number == 1
                ? [.awaitHead, .send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"), .hold]
                : .response("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        })
        try await withTransport(server) { transport in
            let answer = try await transport.exchange(request(server, waiting: .seconds(600)))
            #expect(answer.status == 401)
            #expect(answer.facts.bytesSent < 1_000)
            // The connection ended before an announced body.
            try await transport.waitForConnections(all: 0, idle: 0)
            try await transport.check(server.request(), answers: "ok")
        }
    }

    @Test func aServerThatSaysNothingGetsTheBodyInTime() async throws {
        let server = try await LoopbackServer.start(raw: [
            .awaitHead, .awaitBytes(Self.body.count), .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .hold,
        ])
        try await withTransport(server) { transport in
            let clock = SteppingClock()
            async let answer = transport.exchange(request(server, waiting: .seconds(1), clock: clock))
            try await server.waitForRequests(1)
            clock.advance(by: .seconds(2))
            #expect(try await answer.text == "ok")
        }
    }

    @Test func aRequestWithoutABodyAsksNothing() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { request in .text(request.headers[.expect] ?? "nothing") }
        }
        try await withTransport(server) { transport in
            var request = server.request()
            request.expectsContinue = .seconds(1)
            try await transport.check(request, answers: "nothing")
        }
    }

    @Test func cancellingEndsTheWait() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let task = Task { try await transport.exchange(request(server, waiting: .seconds(600))) }
            try await server.waitForRequests(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func aServerThatTakesNoQuestionsGetsTheBodyUnasked() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.on(nil, "/", body: .discarded) { request in
                request.headers[.expect] == nil ? .text("unasked") : .init(.expectationFailed)
            }
        }
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched) { $0.expectsContinue = .seconds(600) }
            let answer = try await site.put(body: String(repeating: "a", count: 50_000))
            #expect(answer.text == "unasked")
            #expect(server.counts.requestsBegun == 2)
        }
    }

    @Test("a typed Expect field waits like the setting, and a 417 to it is followed by the request without the field")
    func typedField() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.on(nil, "/417", body: .discarded) { request in
                request.headers[.expect] == nil ? .text("unasked") : .init(.expectationFailed)
            }
            routes.put("/") { request in .text("\(request.headers[.expect] ?? "nothing") \(request.body.count)") }
        }
        try await withTransport(server) { transport in
            // With a stopped clock, only the server's permission or refusal can start the body.
            let site = Resource(server.url, transport: transport.watched) {
                $0.headers[.expect] = "100-Continue"
                $0.clock = SteppingClock()
            }
            let body = String(repeating: "a", count: 50_000)
            let refused = try await site["417"].put(body: body)
            #expect(refused.text == "unasked")
            let permitted = try await site.put(body: body)
            #expect(permitted.text == "100-continue 50000")
            let withoutBody = try await site["417"].get()
            #expect(withoutBody.status == .expectationFailed)
        }
    }
}
