// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import Metrics
public import Tracing

extension Resource.Settings {
    /// Records a span and metrics for each exchange, according to OpenTelemetry's conventions for HTTP clients.
    ///
    /// ```swift
    /// site.setRules { $0.telemetry() }
    /// ```
    ///
    /// It applies to all requests at and below the resource, including those that the library makes itself, such as
    /// retries, redirects, segments of downloads, background refreshes of a cache, and requests for tokens. Calling
    /// this method on a nearer layer replaces the tracer, the factory and the propagation.
    ///
    /// - Parameters:
    ///   - tracer: The tracer. Default: for each exchange, the tracer of the task (`withTracer`), otherwise the one
    ///     with which `InstrumentationSystem` has been bootstrapped.
    ///   - metrics: The factory for the metrics. Default: the factory with which `MetricsSystem` was bootstrapped
    ///     before the first exchange.
    ///   - propagation: The origins that receive the trace context, as in `traceparent`. Default: the origin of the
    ///     resource on which this is set.
    public mutating func telemetry(
        tracer: (any Tracer)? = nil,
        metrics: (any MetricsFactory)? = nil,
        propagation: TracePropagation = .ownOrigin
    ) {
        let isObserved = self[key: TelemetryKey.self] != nil
        let recorder = TelemetryRecorder(tracer: tracer, metrics: metrics, propagation: propagation)
        self[key: TelemetryKey.self] = TelemetrySetting(recorder: recorder)
        // An inherited observer uses the nearest recorder.
        if !isObserved { observers.append(CallObserver(of: .calls, CallTelemetry.observe)) }
    }
}

extension Resource.Rules {
    /// Records a span and metrics for each exchange at this place and below it; see
    /// `Resource.Settings.telemetry(tracer:metrics:propagation:)`.
    public mutating func telemetry(
        tracer: (any Tracer)? = nil,
        metrics: (any MetricsFactory)? = nil,
        propagation: TracePropagation = .ownOrigin
    ) {
        settings.telemetry(tracer: tracer, metrics: metrics, propagation: propagation)
    }
}

/// The origins that receive the trace context: `traceparent`, `tracestate`, `baggage`, or the fields of a different
/// propagator.
///
/// A request that follows a redirect to a different origin never contains the trace context, even if a later redirect
/// leads back.
public enum TracePropagation: Sendable, Hashable {
    /// The origin of the resource on which telemetry was set; no origin if that resource has no URL.
    case ownOrigin
    /// These origins only.
    case origins(Set<Origin>)
    /// No origin.
    case none
}

/// A recorder, and the origin of the resource for which it was set.
struct TelemetrySetting: Sendable, Equatable {
    let recorder: TelemetryRecorder
    var origin: Origin?

    static func == (left: TelemetrySetting, right: TelemetrySetting) -> Bool {
        left.recorder === right.recorder && left.origin == right.origin
    }
}

/// The key of the setting, which puts a recording transport in front of the one that sends.
enum TelemetryKey: TransportSettingKey {
    /// No telemetry.
    static var defaultValue: TelemetrySetting? { nil }
    /// Requests to another origin, such as those that follow links, are recorded as well; only the propagation depends
    /// on the origin.
    static var crossesOrigins: Bool { true }

    /// The setting with the origin of its layer.
    static func written(
        _ value: TelemetrySetting?,
        onto own: TelemetrySetting??,
        in layer: LayerContext
    ) -> TelemetrySetting? {
        var value = value
        if value?.origin == nil { value?.origin = layer.origin }
        return value
    }

    static func describe(_ value: TelemetrySetting?) -> String { value == nil ? "none" : "recorded" }

    static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport {
        settings[key: TelemetryKey.self].map { TelemetryTransport(next, $0) } ?? next
    }
}
