// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import InMemoryTracing
import Metrics
import MetricsTestKit
import Testing

@testable import CumulusTelemetry

/// The metrics of OpenTelemetry's conventions for HTTP clients, and the library's own.
@Suite(.timeLimit(.minutes(5))) struct RequestMetricsTests {
    private let labels = [
        ("http.request.method", "POST"), ("server.address", "a.example"), ("server.port", "443"),
        ("http.response.status_code", "201"),
    ]

    @Test func exchangeIsMeasuredFromItsStartToTheEndOfItsBody() async throws {
        let gate = Gate()
        let bench = TelemetryBench { _ in .script([.chunk([1, 2, 3]), .gate(gate), .chunk([4])], status: .created) }
        var call = bench.site.call(.post, .text("hello"))
        call.query = ["page": 2]
        let stream = try await call.stream()
        let active = try bench.metrics.expectMeter("http.client.active_requests", Array(labels.prefix(3)))
        #expect(active.lastValue == 1)
        bench.clock.advance(by: .milliseconds(1_500))
        gate.open()
        for try await _ in stream {}
        #expect(active.lastValue == 0)
        let duration = try bench.metrics.expectTimer("http.client.request.duration", labels)
        #expect(duration.values == [1_500_000_000])
        #expect(duration.displayUnit == .seconds && duration.valueInPreferredUnit(atIndex: 0) == 1.5)
        #expect(try bench.metrics.expectRecorder("http.client.request.body.size", labels).values == [5])
        #expect(try bench.metrics.expectRecorder("http.client.response.body.size", labels).values == [4])
    }

    @Test func failuresAreLabeledByType() async throws {
        let bench = TelemetryBench { request in
            request.path == "/cut" ? .failure(TransportFailure(.connect, "no")) : .status(.notFound)
        }
        bench.site.setRules { $0.retry = .never }
        _ = try await bench.site["missing"].get()
        await #expect(throws: CumulusError.self) { try await bench.site["cut"].get() }
        let durations = bench.metrics.timers(label: "http.client.request.duration")
        #expect(
            Set(durations.map { $0.dimensions.map { "\($0)=\($1)" }.joined(separator: " ") }) == [
                "http.request.method=GET server.address=a.example server.port=443 http.response.status_code=404 "
                    + "error.type=404",
                "http.request.method=GET server.address=a.example server.port=443 error.type=connect",
            ]
        )
    }

    @Test func waitsAtARateLimitAreMeasured() async throws {
        let bench = TelemetryBench { _ in .text("") }
        bench.site.setRules { $0.rateLimit = .requests(1, per: .seconds(10)) }
        _ = try await bench.site.get()
        async let second = bench.site.get()
        while !bench.clock.advanceToNextSleeper() { await Task.yield() }
        _ = try await second
        let waits = bench.metrics.timers(label: "cumulus.client.rate_limit.wait")
        #expect(waits.map(\.values) == [[10_000_000_000]])
        #expect(waits.first?.displayUnit == .seconds)
    }

    @Test func retriesThatTheBudgetRefusesAreCounted() async throws {
        let bench = TelemetryBench { _ in .status(.serviceUnavailable) }
        bench.site.setRules {
            $0.retry = RetryPolicy(
                backoff: RetryBackoff(base: .zero),
                budget: RetryBudget(burst: 0, share: 0, perSecond: 0)
            )
        }
        _ = try await bench.site.get()
        #expect(bench.metrics.counterTotal(label: "cumulus.client.retry_refusals") == 1)
    }

    @Test func nearerSettingReplacesAnInheritedOne() async throws {
        let bench = TelemetryBench { _ in .status(.serviceUnavailable) }
        let other = TestMetrics()
        let mine = bench.site.with {
            $0.telemetry(tracer: bench.tracer, metrics: other)
            $0.retry = RetryPolicy(
                backoff: RetryBackoff(base: .zero),
                budget: RetryBudget(burst: 0, share: 0, perSecond: 0)
            )
        }
        _ = try await mine.get()
        #expect(bench.metrics.timers.isEmpty && bench.metrics.counters.isEmpty)
        #expect(other.timers(label: "http.client.request.duration").count == 1)
        #expect(other.counterTotal(label: "cumulus.client.retry_refusals") == 1)
    }

    @Test func labelsAboveTheLimitShareOneInstrument() {
        let metrics = TestMetrics()
        let table = LabelTable<Int, Counter>(limit: 3) {
            [("n", "\($0)")]
        } make: {
            Counter(label: "c", dimensions: $0, factory: metrics)
        }
        for number in 0..<10 { table[number].increment() }
        for number in 0..<3 { table[number].increment() }
        #expect(metrics.counters(label: "c").count == 4)
        #expect(metrics.counterTotal(label: "c", dimensions: [("otel.metric.overflow", "true")]) == 7)
        #expect(metrics.counterTotal(label: "c", dimensions: [("n", "0")]) == 2)
    }

    @Test func pathsAndQueriesAreNeverLabels() async throws {
        let bench = TelemetryBench { request in
            request.number % 2 == 0 ? .status(.notFound) : .text("")
        }
        for number in 1...200 {
            _ = try await bench.site[segment: "user-\(number)"].get(query: ["q": "user-\(number)"])
        }
        let dimensions =
            bench.metrics.timers.map(\.dimensions) + bench.metrics.recorders.map(\.dimensions)
            + bench.metrics.meters.map(\.dimensions) + bench.metrics.counters.map(\.dimensions)
        #expect(dimensions.count <= 8)
        #expect(!"\(dimensions)".contains("user-"))
    }

    @Test func knownMethodsAreThoseOfTheEnvironmentIfItNamesSome() {
        #expect(KnownMethods.names(listed: nil).count == 10)
        #expect(KnownMethods.names(listed: "GET, LOCK") == ["GET", "LOCK"])
        #expect(KnownMethods.name(of: .get, among: ["PUT"]) == nil)
    }
}
