// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(10))) struct StubTransportTests {
    private let origin = Origin(scheme: .https, host: "api.example.com")

    private func request(
        _ method: HTTPRequest.Method = .get,
        _ target: String = "/posts/1",
        body: RequestBody = .none
    ) -> TransportRequest {
        TransportRequest(method: method, origin: origin, target: target, body: body)
    }

    private func text(_ response: TransportResponse) async throws -> String {
        var bytes: [UInt8] = []
        while let chunk = try await response.body.next() { bytes += chunk.bytes }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a route reads query values as a server does") func queryValues() async throws {
        let stub = StubTransport { $0.on(.get, "/x") { .text($0.queryValue("q") ?? "nothing") } }
        #expect(try await text(stub.send(request(.get, "/x?a=1&q=two+words%21&q=3"))) == "two words!")
        #expect(try await text(stub.send(request(.get, "/x"))) == "nothing")
    }

    @Test func answersByRouteAndRecords() async throws {
        let stub = StubTransport { routes in
            routes.on(.get, "/posts/:id") { .text("post \($0.parameters["id"] ?? "?")") }
            routes.on(nil, "/any/*", .json("{}", status: .created))
        }
        #expect(try await text(stub.send(request(.get, "/posts/a%20b?x=1"))) == "post a b")
        let made = try await stub.send(request(.put, "/any/thing", body: .bytes(ByteChunk("data"))))
        #expect(made.head.status == .created)
        #expect(made.head.headers[.contentType] == "application/json")
        #expect(
            stub.requests.map(\.url) == [
                "https://api.example.com/posts/a%20b?x=1", "https://api.example.com/any/thing",
            ]
        )
        #expect(stub.requests.first?.query == "x=1")
        #expect(stub.lastRequest?.text == "data")
        #expect(stub.lastRequest?.number == 2)
    }

    /// A combining mark after a `?` or a `/` forms one character with it, which is neither of the two.
    @Test func aTargetIsReadByBytes() async throws {
        let stub = StubTransport { routes in routes.on(.get, "/x/:id") { .text($0.parameters["id"] ?? "") } }
        #expect(try await text(stub.send(request(.get, "/x/\u{301}b?\u{301}a=1"))).utf8.elementsEqual("\u{301}b".utf8))
        #expect(stub.lastRequest?.path.utf8.elementsEqual("/x/\u{301}b".utf8) == true)
        #expect(stub.lastRequest?.query == "\u{301}a=1")
    }

    @Test func answersInTurnAndKeepsTheLast() async throws {
        let stub = StubTransport { $0.on(.get, "/x", .text("1"), .text("2", status: .accepted), .text("3")) }
        var texts: [String] = []
        for _ in 1...4 { texts.append(try await text(stub.send(request(.get, "/x")))) }
        #expect(texts == ["1", "2", "3", "3"])
    }

    @Test func namesWhatNothingAnswers() async throws {
        let stub = StubTransport { $0.on(.get, "/x", .text("1")) }
        let failure = await #expect(throws: TransportFailure.self) { try await stub.send(request(.post, "/y")) }
        #expect(failure?.message == "the stub has no response for POST /y; its routes are: GET /x")
        #expect(stub.requests.count == 1)
    }

    @Test func readsEveryKindOfBody() async throws {
        let stub = StubTransport { _ in .response() }
        let stream = StreamBody(length: 4) { offset, writer in
            #expect(offset == 0)
            try await writer.write(ByteChunk("st"))
            try await writer.write(ByteChunk("rm"))
        }
        _ = try await stub.send(request(.post, body: .stream(stream)))
        #expect(stub.lastRequest?.text == "strm")
        let short = StreamBody(length: 9) { _, writer in try await writer.write(ByteChunk("x")) }
        let failure = await #expect(throws: TransportFailure.self) {
            try await stub.send(request(.post, body: .stream(short)))
        }
        #expect(failure?.kind == .requestBody)
        let missing = await #expect(throws: TransportFailure.self) {
            try await stub.send(request(.post, body: .file(FileBody(path: "/nonexistent/x", length: 1))))
        }
        #expect(missing?.kind == .requestBody)
    }

    @Test func failsAsTold() async throws {
        let stub = StubTransport { routes in
            routes.on(.get, "/x", .failure(TransportFailure(.lookup, "no such host")))
            routes.on(.get, "/y", .script([.chunk([65]), .fail(TransportFailure(.truncated, "cut"))]))
        }
        let failure = await #expect(throws: TransportFailure.self) { try await stub.send(request(.get, "/x")) }
        #expect(failure?.kind == .lookup)
        let response = try await stub.send(request(.get, "/y"))
        #expect(try await response.body.next() == ByteChunk("A"))
        let broken = await #expect(throws: TransportFailure.self) { try await response.body.next() }
        #expect(broken?.kind == .truncated)
    }

    @Test func delaysOnTheRequestsClock() async throws {
        let clock = ManualClock()
        let stub = StubTransport(answering: { _ in StubResponse.text("late").delayed(by: .seconds(30)) })
        var request = request()
        request.clock = clock
        let work = Task { [request] in try await text(stub.send(request)) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        #expect(try await work.value == "late")
    }

    @Test(
        arguments: [
            (idle: 10, total: nil, phase: TransportFailure.Phase.response, limit: 10),
            (idle: nil, total: 20, phase: .total, limit: 20),
            (idle: 10, total: 5, phase: .total, limit: 5),
            (idle: 5, total: 10, phase: .response, limit: 5),
        ] as [(idle: Int?, total: Int?, phase: TransportFailure.Phase, limit: Int)]
    )
    func deadlinesHold(idle: Int?, total: Int?, phase: TransportFailure.Phase, limit: Int) async throws {
        let clock = ManualClock()
        let stub = StubTransport(answering: { _ in StubResponse.text("late").delayed(by: .seconds(30)) })
        var request = request()
        request.clock = clock
        request.deadlines.idle = idle.map { .seconds($0) }
        request.deadlines.total = total.map { clock.now + .seconds($0) }
        let work = Task { [request] in try await stub.send(request) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(limit))
        let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
        #expect(failure?.kind == .timeout(phase))
        #expect(failure?.limit == .seconds(limit))
        #expect(failure?.elapsed == .seconds(limit))
    }

    @Test func scriptsABodyWithPausesTrailersAndInformationalResponses() async throws {
        let clock = ManualClock()
        let seen = Log<Int>()
        let stub = StubTransport { _ in
            var answer = StubResponse.script(
                [.chunk([65]), .pause(.seconds(5)), .chunk([66])],
                trailers: [.eTag: "\"t\""]
            )
            answer.informational = [HTTPResponse(status: .init(code: 103))]
            return answer
        }
        var request = request()
        request.clock = clock
        request.onInformational = { seen.append($0.status.code) }
        let response = try await stub.send(request)
        #expect(seen.values == [103])
        #expect(try await response.body.next() == ByteChunk("A"))
        let next = Task { try await response.body.next() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(try await next.value == ByteChunk("B"))
        #expect(try await response.body.next() == nil)
        #expect(response.body.end?.trailers[.eTag] == "\"t\"")
        #expect(response.body.end?.facts.bytesReceived == 2)
        #expect(stub.cancelledBodies == 0)
    }

    @Test func countsBodiesThatAreDropped() async throws {
        let stub = StubTransport { _ in .text("unread") }
        _ = try await stub.send(request())
        #expect(stub.cancelledBodies == 1)
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let stub = StubTransport { _ in .text("x") }
        let work = Task {
            try? await Gate().wait()
            _ = try await stub.send(request())
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(stub.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func cancellingABodyEndsTheWaitOfItsReader(isGate: Bool) async throws {
        let (clock, gate) = (ManualClock(), Gate())
        let stub = StubTransport { _ in .script([isGate ? .gate(gate) : .pause(.seconds(5))]) }
        var request = request()
        request.clock = clock
        let response = try await stub.send(request)
        let reader = Task { try await response.body.next() }
        // Polls; a cancelled test ends here.
        while gate.waiterCount + clock.sleeperCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        response.body.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(stub.cancelledBodies == 1)
    }
}
