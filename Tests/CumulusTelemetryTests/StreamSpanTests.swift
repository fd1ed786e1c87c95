// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTelemetry
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import TestSupport
import Testing
import Tracing

/// Spans of the connections of an event stream, and of exchanges with informational responses.
@Suite(.timeLimit(.minutes(5))) struct StreamSpanTests {
    @Test func eachConnectionOfAnEventStreamHasASpan() async throws {
        let bench = TelemetryBench { request in
            .script(
                [.chunk(Array("id: \(request.number)\ndata: x\n\n".utf8))],
                headers: [.contentType: "text/event-stream"]
            )
        }
        let reader = Task {
            var counts: [Int] = []
            try await bench.tracer.withSpan("watch") { _ in
                for try await _ in bench.site["feed"].events() {
                    counts.append(bench.spans.count)
                    if counts.count == 3 { break }
                }
            }
            return counts
        }
        let driver = Task {
            while !Task.isCancelled {
                if (try? await bench.clock.waitForSleepers(1)) == nil { return }
                bench.clock.advanceToNextSleeper()
            }
        }
        defer { driver.cancel() }
        #expect(try await reader.value == [0, 1, 2], "a span lasts as long as its connection")
        try await eventually { bench.tracer.activeSpans.isEmpty }
        let watch = try #require(bench.spans.first { $0.name == "watch" })
        let spans = bench.spans.filter { $0.name != "watch" }
        #expect(spans.map(\.name) == ["GET /feed", "GET /feed", "GET /feed"])
        #expect(spans.allSatisfy { !$0.isError && $0.span.parentSpanID == watch.span.spanID })
        #expect(spans.allSatisfy { $0["http.request.resend_count"] == nil }, "each connection is a call of its own")
        #expect(bench.traced.count == 3)
    }

    @Test func informationalResponseDoesNotEndASpan() async throws {
        let (tracer, metrics) = (InMemoryTracer(), TestMetrics())
        let link = try #require(HTTPField.Name("Link"))
        try await NIOTransport.withTransport { transport in
            try await withLoopbackServer {
                $0.get("/page") { _ in
                    var response = ServerResponse.text("hello")
                    response.informational = [
                        HTTPResponse(status: .init(code: 102)),
                        HTTPResponse(status: .earlyHints, headerFields: [link: "</a.css>; rel=preload"]),
                    ]
                    return response
                }
            } _: { server in
                let site = Resource(server.url, transport: transport)
                site.setRules { $0.telemetry(tracer: tracer, metrics: metrics) }
                let text = try await site["page"].get().text
                #expect(text == "hello")
            }
        }
        let spans = tracer.finishedSpans.map(RecordedSpan.init)
        #expect(spans.map { $0["http.response.status_code"] } == ["200"])
        #expect(spans.map(\.isError) == [false])
        #expect(metrics.timers(label: "http.client.request.duration").map(\.values.count) == [1])
    }
}
