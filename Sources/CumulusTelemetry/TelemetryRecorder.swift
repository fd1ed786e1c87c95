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

    /// The current instrument; `nil` if it neither records nor propagates anything.
    ///
    /// Checking for a missing instrument costs less than searching an instrument for a tracer.
    private var instrument: (any Instrument)? {
        let instrument: any Instrument = ownTracer ?? InstrumentationSystem.instrument
        return instrument is NoOpInstrument || instrument is NoOpTracer ? nil : instrument
    }

    /// The metrics; `nil` if the factory records nothing.
    ///
    /// The factory is found at the first use, so that a program may bootstrap it after it makes its first resource.
    var metrics: ClientMetrics? {
        resolved.withLock { resolved in
            if let known = resolved { return known }
            let factory = ownFactory ?? MetricsSystem.factory
            let metrics = factory is NOOPMetricsHandler ? nil : ClientMetrics(factory)
            resolved = .some(metrics)
            return metrics
        }
    }

    /// The current backends; `nil` without any, so that nothing needs to be computed.
    var backends: Backends? {
        let (instrument, metrics) = (instrument, metrics)
        guard instrument != nil || metrics != nil else { return nil }
        return Backends(instrument: instrument, metrics: metrics, recorder: self)
    }
}

/// The instrument and the metrics of an exchange.
struct Backends {
    fileprivate let instrument: (any Instrument)?
    fileprivate let metrics: ClientMetrics?
    fileprivate let recorder: TelemetryRecorder

    /// Begins the record of an exchange.
    ///
    /// - Returns: The context to pass on, and the record. A span that is not recorded has a context as well, so that the
    ///   server learns that decision. The record is `nil` if neither a span nor metrics are recorded.
    func begin(_ request: TransportRequest, in context: ServiceContext) -> (ServiceContext, ExchangeMeasurement?) {
        let method = KnownMethods.name(of: request.method)
        let server = ServerName(of: request)
        let span = instrument == nil ? nil : span(of: request, server, method, in: context)
        let inner = span?.context ?? context
        let recorded = span.flatMap { $0.isRecording ? $0 : nil }
        guard recorded != nil || metrics != nil else { return (inner, nil) }
        let labels = RequestLabels(method: method ?? KnownMethods.other, server: server)
        return (inner, ExchangeMeasurement(recorded, metrics, labels, request))
    }

    private func span(
        of request: TransportRequest,
        _ server: ServerName,
        _ method: String?,
        in context: ServiceContext
    ) -> any Span {
        let template = request.encodedRequest?.urlTemplate
        let span = recorder.tracer.startSpan(
            template.map { "\(method ?? "HTTP") \($0)" } ?? method ?? "HTTP",
            context: context,
            ofKind: .client
        )
        guard span.isRecording else { return span }
        span.updateAttributes { $0.describe(request, server, method, template) }
        if let id = request.encodedRequest?.id { recorder.latestSpans.note(span.context, of: id) }
        return span
    }

    /// Adds the fields of the trace's context to a request.
    func inject(_ context: ServiceContext, into headers: inout HTTPFields) {
        instrument?.inject(context, into: &headers, using: HeaderInjector())
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
