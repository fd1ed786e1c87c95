// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Metrics
import Synchronization

/// The labels that are known when a request is sent.
struct RequestLabels: Sendable, Hashable {
    let method: String
    let server: ServerName

    var dimensions: [(String, String)] { [("http.request.method", method)] + server.dimensions }
}

/// The labels of an exchange that has ended.
struct ExchangeLabels: Sendable, Hashable {
    let request: RequestLabels
    var status: Int?
    var errorType: String?
    var version: String?

    init(request: RequestLabels) { self.request = request }

    var dimensions: [(String, String)] {
        var dimensions = request.dimensions
        if let status { dimensions.append(("http.response.status_code", "\(status)")) }
        if let errorType { dimensions.append(("error.type", errorType)) }
        if let version { dimensions.append(("network.protocol.version", version)) }
        return dimensions
    }
}

extension ServerName {
    var dimensions: [(String, String)] { [("server.address", address), ("server.port", "\(port)")] }
}

/// The metrics of a client: those of OpenTelemetry, and some that only this library has.
///
/// Each combination of labels has its instruments, which are made once. There are at most 2,000 combinations, as in
/// OpenTelemetry's SDKs; the others are recorded together, with the label `otel.metric.overflow`.
final class ClientMetrics: Sendable {
    private struct Exchange {
        let duration: Timer
        let sent: Recorder
        let received: Recorder
    }

    private let factory: any MetricsFactory
    private let exchanges: LabelTable<ExchangeLabels, Exchange>
    private let active: LabelTable<RequestLabels, Meter>
    private let resends: LabelTable<CountLabels, Counter>
    private let retryRefusals: LabelTable<CountLabels, Counter>
    private let cacheHits: LabelTable<CountLabels, Counter>
    private let rateLimitWaits: LabelTable<CountLabels, Timer>

    /// The labels of a counter: a server, and the reason that is counted.
    private struct CountLabels: Hashable {
        let server: ServerName
        var reason: String?

        var dimensions: [(String, String)] {
            server.dimensions + (reason.map { [("cumulus.reason", $0)] } ?? [])
        }
    }

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        exchanges = LabelTable(\.dimensions) { dimensions in
            Exchange(
                duration: Timer("http.client.request.duration", dimensions, factory),
                sent: Recorder(label: "http.client.request.body.size", dimensions: dimensions, factory: factory),
                received: Recorder(label: "http.client.response.body.size", dimensions: dimensions, factory: factory)
            )
        }
        active = LabelTable(\.dimensions) {
            Meter(label: "http.client.active_requests", dimensions: $0, factory: factory)
        }
        resends = LabelTable(\.dimensions) {
            Counter(label: "cumulus.client.resends", dimensions: $0, factory: factory)
        }
        retryRefusals = LabelTable(\.dimensions) {
            Counter(label: "cumulus.client.retry_refusals", dimensions: $0, factory: factory)
        }
        cacheHits = LabelTable(\.dimensions) {
            Counter(label: "cumulus.client.cache_hits", dimensions: $0, factory: factory)
        }
        rateLimitWaits = LabelTable(\.dimensions) { Timer("cumulus.client.rate_limit.wait", $0, factory) }
    }

    /// Counts an exchange that begins.
    ///
    /// - Returns: The meter of the active ones, which is decremented at the end.
    func began(_ labels: RequestLabels, _ request: TransportRequest) -> Meter {
        let meter = active[labels]
        meter.increment()
        if let reason = request.reason.label {
            resends[CountLabels(server: labels.server, reason: reason)].increment()
        }
        return meter
    }

    /// Records an exchange that has ended; sizes are `nil` if they aren't known.
    func ended(_ labels: ExchangeLabels, after elapsed: Duration, sent: Int64?, received: Int64?) {
        let exchange = exchanges[labels]
        exchange.duration.recordNanoseconds(elapsed.nanoseconds)
        if let sent { exchange.sent.record(sent) }
        if let received { exchange.received.record(received) }
    }

    /// Counts a retry that the budget refused.
    func refusedRetry(at origin: Origin) {
        retryRefusals[CountLabels(server: ServerName(of: origin), reason: "budget")].increment()
    }

    /// Counts a response from a cache.
    func cacheHit(at origin: Origin) { cacheHits[CountLabels(server: ServerName(of: origin))].increment() }

    /// Records a wait at a rate limit.
    func waited(_ wait: Duration, at origin: Origin) {
        rateLimitWaits[CountLabels(server: ServerName(of: origin))].recordNanoseconds(wait.nanoseconds)
    }
}

extension Timer {
    fileprivate convenience init(_ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
        self.init(label: label, dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
    }
}

extension Duration {
    /// The duration in nanoseconds, at most 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflows { return seconds < 0 ? 0 : .max }
        let (sum, carries) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carries ? .max : max(0, sum)
    }
}

extension AttemptRecord.Reason {
    /// The label of a request that is sent again; `nil` for others.
    fileprivate var label: String? {
        switch self {
        case .call, .fallback: nil
        case .redirect: "redirect"
        case .challenge: "challenge"
        case .retry: "retry"
        case .staleConnection: "stale_connection"
        case .unprocessed: "unprocessed"
        case .expectation: "expectation"
        case .misdirected: "misdirected"
        case .requestTimeout: "request_timeout"
        case .interceptor: "interceptor"
        case .resume: "resume"
        case .unconfirmed: "unconfirmed"
        }
    }
}
