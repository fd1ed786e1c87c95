// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTelemetry
import Foundation
import HTTPTypes
import Measure
import Metrics
import Tracing

// The cost that telemetry adds to a GET, over a transport that responds at once: without it, with it and no backends, and
// with backends that record nothing. Fails past the bound.

/// Responds without a network.
struct InstantTransport: Transport {
    private let body = ByteChunk([UInt8](repeating: 65, count: 1_000))

    var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        // As NIOTransport: no task is needed to cancel a request by.
        capabilities.attachesExchanges = true
        return capabilities
    }

    func identity(at origin: Origin) -> TransportIdentity { .anonymous }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(
            head: ResponseHead(status: .ok, headers: [.contentType: "text/plain"], protocolName: "HTTP/1.1"),
            body: ResponseBody(complete: body)
        )
    }
}

/// A tracer whose spans take everything and keep nothing.
struct ForgetfulTracer: Tracer {
    final class Span: Tracing.Span {
        let context: ServiceContext
        init(_ context: ServiceContext) { self.context = context }
        var operationName: String {
            get { "" }
            set {}
        }
        var attributes: SpanAttributes {
            get { [:] }
            set {}
        }
        var isRecording: Bool { true }
        func setStatus(_ status: SpanStatus) {}
        func addEvent(_ event: SpanEvent) {}
        func recordError<Instant: TracerInstant>(
            _ error: any Error,
            attributes: SpanAttributes,
            at instant: @autoclosure () -> Instant
        ) {}
        func addLink(_ link: SpanLink) {}
        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> Span { Span(context()) }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {}
}

/// Metrics that take every value and keep none, and are not known to be no backend.
struct ForgetfulMetrics: MetricsFactory {
    private let none = NOOPMetricsHandler.instance

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        none.makeCounter(label: label, dimensions: dimensions)
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        none.makeMeter(label: label, dimensions: dimensions)
    }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        none.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        none.makeTimer(label: label, dimensions: dimensions)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

func site(_ change: (inout Resource.Rules) -> Void) -> Resource {
    let root = Resource("https://a.example", transport: InstantTransport())
    root.setRules(change)
    return root["posts"]
}

/// Off the main actor, to which each call would come back.
@concurrent
func run() async throws {
    let sites: [(name: String, site: Resource)] = [
        ("GET without telemetry", site { _ in }),
        ("with telemetry, no backends", site { $0.telemetry() }),
        ("with metrics that are not kept", site { $0.telemetry(tracer: NoOpTracer(), metrics: ForgetfulMetrics()) }),
        ("with spans that are not kept", site { $0.telemetry(tracer: ForgetfulTracer()) }),
        ("with both", site { $0.telemetry(tracer: ForgetfulTracer(), metrics: ForgetfulMetrics()) }),
    ]
    if CommandLine.arguments.count == 3, let which = Int(CommandLine.arguments[1]),
        let count = Int(CommandLine.arguments[2]), sites.indices.contains(which)
    {
        // For callgrind: the difference of two counts is what so many requests cost.
        for _ in 0..<count { _ = try await sites[which].site.get() }
        return
    }
    let measure = Measure()
    var results: [Measure.Result] = []
    for (name, site) in sites {
        results.append(try await measure.run(name, times: 20_000) { _ = try await site.get() })
    }
    let added = (
        time: results[1].nanoseconds - results[0].nanoseconds, count: results[1].allocations - results[0].allocations
    )
    print("telemetry without backends adds \(Int(added.time)) ns and \(added.count) allocations")
    // The bound is on the allocations: times on a busy machine say little.
    if added.count > 6 { exit(1) }
}

try await run()
