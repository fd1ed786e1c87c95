// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTelemetry
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

/// The attributes of OpenTelemetry's conventions for HTTP clients, on one span for each exchange.
@Suite(.timeLimit(.minutes(5))) struct ExchangeSpanTests {
    @Test func getOverARealConnectionHasTheAttributesOfTheConventions() async throws {
        let tracer = InMemoryTracer()
        try await NIOTransport.withTransport { transport in
            try await withLoopbackServer {
                $0.get("/posts/:id") { _ in .text("hello") }
            } _: { server in
                let site = Resource(server.url, transport: transport)
                site.setRules { $0.telemetry(tracer: tracer, metrics: TestMetrics()) }
                let response = try await site.child(template: "posts/{id}{?page}", ["id": 7, "page": 2]).get()
                #expect(response.text == "hello")
                let span = try #require(tracer.finishedSpans.first.map(RecordedSpan.init))
                #expect(span.name == "GET /posts/{id}")
                #expect(span.span.kind == .client)
                #expect(span.span.status == nil)
                #expect(
                    span.attributes == [
                        "http.request.method": "GET",
                        "http.response.status_code": "200",
                        "network.peer.address": "127.0.0.1",
                        "network.peer.port": "\(server.port)",
                        "network.protocol.version": "1.1",
                        "server.address": "127.0.0.1",
                        "server.port": "\(server.port)",
                        "url.full": "\(server.url)/posts/7?page=REDACTED",
                        "url.template": "/posts/{id}",
                    ]
                )
            }
        }
        #expect(tracer.finishedSpans.count == 1 && tracer.activeSpans.isEmpty)
    }

    @Test func spanIsNamedByTheTemplateOfItsPath() async throws {
        let bench = TelemetryBench { _ in .text("") }
        let site = bench.site
        _ = try await site["posts"].get()
        _ = try await site["users/\(7)"].get()
        _ = try await site.child(template: "users/{id}", ["id": 7])["posts"].get()
        _ = try await site.child(template: "find{/names*}", ["names": ["a", "b"]]).get()
        _ = try await site[segment: "posts"].get()
        _ = try await site.follow("/elsewhere").get()
        _ = try await site.get()
        #expect(
            bench.spans.map(\.name) == [
                "GET /posts", "GET", "GET /users/{id}/posts", "GET /find{/names*}", "GET", "GET", "GET",
            ]
        )
        #expect(bench.spans.allSatisfy { ($0["url.template"].map { "GET \($0)" } ?? "GET") == $0.name })
    }

    @Test func pathOfARootMayBeDataUnlessATemplateFollows() async throws {
        let bench = TelemetryBench("https://a.example/users/7") { _ in .text("") }
        _ = try await bench.site["posts"].get()
        _ = try await bench.site.child(template: "posts/{id}", ["id": 1]).get()
        #expect(bench.spans.map(\.name) == ["GET", "GET /users/7/posts/{id}"])
    }

    @Test func unknownMethodIsReportedAsOther() async throws {
        let bench = TelemetryBench { _ in .text("") }
        let method = try #require(HTTPRequest.Method(rawValue: "LOCK"))
        _ = try await bench.site.call(method).send()
        let span = try #require(bench.spans.first)
        #expect(span.name == "HTTP")
        #expect(span["http.request.method"] == "_OTHER" && span["http.request.method_original"] == "LOCK")
    }

    @Test("a status of 4xx or 5xx is an error without a description", arguments: [404, 410, 501])
    func failure(status: Int) async throws {
        let bench = TelemetryBench { _ in .status(HTTPResponse.Status(code: status)) }
        bench.site.setRules { $0.retry = .never }
        _ = try await bench.site.get()
        let span = try #require(bench.spans.first)
        #expect(span.span.status == SpanStatus(code: .error))
        #expect(span["error.type"] == "\(status)" && span["http.response.status_code"] == "\(status)")
    }

    @Test func statusOf3xxIsNotAnError() async throws {
        let bench = TelemetryBench { _ in .status(.notModified) }
        _ = try await bench.site.get()
        #expect(bench.spans.map(\.isError) == [false])
        #expect(bench.spans[0]["error.type"] == nil)
    }

    @Test(
        "a failure without a response has a type of few",
        arguments: [
            (TransportFailure.Kind.connect, "connect"), (.lookup, "lookup"), (.tls, "tls"),
            (.timeout(.connect), "timeout"), (.timeout(.response), "timeout"), (.connectionClosed, "connection_closed"),
            (.other, "_OTHER"),
        ]
    )
    func failure(kind: TransportFailure.Kind, type: String) async throws {
        let bench = TelemetryBench { _ in .failure(TransportFailure(kind, "secret words")) }
        bench.site.setRules { $0.retry = .never }
        await #expect(throws: CumulusError.self) { try await bench.site.get() }
        let span = try #require(bench.spans.first)
        #expect(span["error.type"] == type && span.isError && span["http.response.status_code"] == nil)
        #expect(!"\(span)".contains("secret"))
    }

    @Test func deadlineThatCancelsAnExchangeIsATimeout() async throws {
        let bench = TelemetryBench { _ in .text("").delayed(by: .seconds(60)) }
        bench.site.setRules { $0.deadline = .seconds(5) }
        async let failure = #expect(throws: CumulusError.self) { try await bench.site.get() }
        while bench.transport.requests.isEmpty { await Task.yield() }
        while bench.spans.isEmpty { if !bench.clock.advanceToNextSleeper() { await Task.yield() } }
        _ = await failure
        #expect(bench.spans.map { $0["error.type"] } == ["timeout"])
    }

    @Test func cancelledCallIsNotAnError() async throws {
        let gate = Gate()
        let bench = TelemetryBench { _ in
            try await gate.wait()
            return .text("")
        }
        let call = bench.site.call(.get).start()
        while bench.transport.requests.isEmpty { await Task.yield() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(bench.spans.map(\.isError) == [false])
        #expect(bench.spans[0]["error.type"] == nil)
    }

    @Test func spanOfAStreamEndsWithItsBody() async throws {
        let gate = Gate()
        let bench = TelemetryBench { _ in .script([.chunk([1, 2]), .gate(gate), .chunk([3])]) }
        let stream = try await bench.site.call(.get).stream()
        #expect(bench.spans.isEmpty && bench.tracer.activeSpans.count == 1)
        gate.open()
        for try await _ in stream {}
        #expect(bench.spans.count == 1 && bench.tracer.activeSpans.isEmpty)
        _ = try await bench.site.call(.get).stream()
        #expect(bench.spans.map(\.isError) == [false, false], "a reader that drops the body ends it without an error")
    }

    @Test func bodyThatBreaksOffIsAnErrorOfItsExchange() async throws {
        let bench = TelemetryBench { _ in .script([.chunk([1]), .fail(TransportFailure(.truncated, "cut"))]) }
        bench.site.setRules { $0.retry = .never }
        await #expect(throws: CumulusError.self) { try await bench.site.get() }
        let span = try #require(bench.spans.first)
        #expect(span["error.type"] == "truncated" && span["http.response.status_code"] == "200" && span.isError)
    }

    @Test func hostFieldNamesTheServer() async throws {
        let bench = TelemetryBench { _ in .text("") }
        _ = try await bench.site.with { $0.headers["Host"] = "b.example:8080" }.get()
        let span = try #require(bench.spans.first)
        #expect(span["server.address"] == "b.example" && span["server.port"] == "8080")
    }

    @Test func exchangeIsAChildOfTheTasksSpan() async throws {
        let bench = TelemetryBench { _ in .text("") }
        try await bench.tracer.withSpan("job") { _ in _ = try await bench.site.get() }
        let job = try #require(bench.spans.first { $0.name == "job" })
        #expect(bench.spans.first?.span.parentSpanID == job.span.spanID)
    }

    @Test func bootstrappedOrTaskLocalTracerIsTheDefault() async throws {
        let (tracer, stub) = (InMemoryTracer(), StubTransport { _ in .text("") })
        let site = Resource("https://a.example", transport: stub)
        site.setRules { $0.telemetry() }
        _ = try await site.get()
        try await withTracer(tracer) { _ = try await site.get() }
        #expect(tracer.finishedSpans.map(\.operationName) == ["GET"])
        #expect(stub.requests.map(\.isTraced) == [false, true])
    }
}
