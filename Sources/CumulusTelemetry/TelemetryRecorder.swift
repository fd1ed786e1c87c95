// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Metrics
import Synchronization
import Tracing

/// The tracer, the metrics and the propagation of one setting.
final class TelemetryRecorder: Sendable {
    let propagation: TracePropagation
    private let ownTracer: (any Tracer)?
    private let ownFactory: (any MetricsFactory)?
    private let resolved = Mutex<ClientMetrics??>(nil)
    /// The contexts of the latest spans of calls, to which calls that joined them link.
    let latestSpans = LatestSpans()

    init(tracer: (any Tracer)?, metrics: (any MetricsFactory)?, propagation: TracePropagation) {
        (ownTracer, ownFactory, self.propagation) = (tracer, metrics, propagation)
    }

    var tracer: any Tracer { ownTracer ?? InstrumentationSystem.tracer }

    /// The metrics; `nil` if the factory records nothing.
    ///
    /// The factory is found at the first use, so that a program may bootstrap it after it has made its first resource.
    var metrics: ClientMetrics? {
        resolved.withLock { resolved in
            if let known = resolved { return known }
            let factory = ownFactory ?? MetricsSystem.factory
            let metrics = factory is NOOPMetricsHandler ? nil : ClientMetrics(factory)
            resolved = .some(metrics)
            return metrics
        }
    }

    /// Begins the record of an exchange; `nil` if neither a span nor metrics are recorded.
    func begin(_ request: TransportRequest, in context: ServiceContext) -> ExchangeMeasurement? {
        let (tracer, metrics) = (tracer, metrics)
        // Without backends, nothing is computed.
        let isTraced = !(tracer is NoOpTracer)
        guard isTraced || metrics != nil else { return nil }
        let template = isTraced ? request.encodedRequest?.urlTemplate : nil
        let method = KnownMethods.name(of: request.method)
        let span = tracer.startSpan(
            template.map { "\(method ?? "HTTP") \($0)" } ?? method ?? "HTTP",
            context: context,
            ofKind: .client
        )
        guard span.isRecording || metrics != nil else { return nil }
        let server = ServerName(of: request)
        if span.isRecording {
            span.updateAttributes { attributes in
                attributes.describe(request, server, method, template)
            }
            if let id = request.encodedRequest?.id { latestSpans.note(span.context, of: id) }
        }
        let labels = RequestLabels(method: method ?? KnownMethods.other, server: server)
        metrics?.began(labels, request)
        return ExchangeMeasurement(span.isRecording ? span : nil, span.context, metrics, labels, request)
    }

    /// Adds the fields of the trace's context to a request.
    func inject(_ context: ServiceContext, into headers: inout HTTPFields) {
        if let ownTracer {
            ownTracer.inject(context, into: &headers, using: HeaderInjector())
        } else {
            InstrumentationSystem.instrument.inject(context, into: &headers, using: HeaderInjector())
        }
    }
}

/// Writes the values of a propagator as header fields.
private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        headers[name] = value
    }
}

/// The contexts of the latest spans, by the numbers of their calls: at most 256.
final class LatestSpans: Sendable {
    private struct State {
        var contexts: [CallID: ServiceContext] = [:]
        var order: [CallID] = []
        var oldest = 0
    }

    private static let limit = 256
    private let state = Mutex(State())

    func note(_ context: ServiceContext, of call: CallID) {
        state.withLock { state in
            guard state.contexts.updateValue(context, forKey: call) == nil else { return }
            if state.order.count < LatestSpans.limit {
                state.order.append(call)
            } else {
                state.contexts[state.order[state.oldest]] = nil
                state.order[state.oldest] = call
                state.oldest = (state.oldest + 1) % LatestSpans.limit
            }
        }
    }

    subscript(call: CallID) -> ServiceContext? { state.withLock { $0.contexts[call] } }
}
