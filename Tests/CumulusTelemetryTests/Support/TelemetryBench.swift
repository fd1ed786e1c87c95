// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTelemetry
import CumulusTesting
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import Tracing

/// A resource over a stub whose spans and metrics stay in memory.
struct TelemetryBench {
    let tracer = InMemoryTracer()
    let metrics = TestMetrics()
    let clock = ManualClock()
    let transport: StubTransport
    let site: Resource

    init(
        _ url: String = "https://a.example",
        propagation: TracePropagation = .ownOrigin,
        _ respond: @escaping StubRoutes.Respond
    ) {
        transport = StubTransport(answering: respond)
        site = Resource(url, transport: transport)
        site.setRules { [clock, tracer, metrics] in
            $0.clock = clock
            $0.telemetry(tracer: tracer, metrics: metrics, propagation: propagation)
        }
    }

    /// The spans that have ended, in that order.
    var spans: [RecordedSpan] { tracer.finishedSpans.map(RecordedSpan.init) }

    /// The URLs of the requests that got the context of a trace.
    var traced: [String] { transport.requests.filter(\.isTraced).map(\.url) }
}

extension StubRequest {
    /// Whether it has the tracer's field.
    var isTraced: Bool {
        guard let name = HTTPField.Name(InMemoryTracer.traceIDKey) else { return false }
        return headers[name] != nil
    }
}

/// A span in words.
struct RecordedSpan: CustomStringConvertible {
    let span: FinishedInMemorySpan

    var name: String { span.operationName }
    var isError: Bool { span.status?.code == .error }

    /// The attributes as texts.
    var attributes: [String: String] {
        var attributes: [String: String] = [:]
        span.attributes.forEach { name, value in attributes[name] = RecordedSpan.text(of: value) }
        return attributes
    }

    subscript(name: String) -> String? { attributes[name] }

    /// Everything that an exporter would get.
    var description: String { "\(span)" }

    private static func text(of value: SpanAttribute) -> String {
        switch value {
        case .string(let text): text
        case .int32(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .stringConvertible(let other): "\(other)"
        default: "\(value)"
        }
    }
}
