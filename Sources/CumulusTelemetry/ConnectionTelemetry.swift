// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import Metrics

/// Metrics of a transport's connections, according to OpenTelemetry's conventions.
///
/// ```swift
/// var configuration = NIOTransport.Configuration()
/// configuration.onConnectionEvent = ConnectionTelemetry().observe
/// let transport = NIOTransport(configuration: configuration)
/// ```
public struct ConnectionTelemetry: Sendable {
    private struct Labels: Hashable {
        let server: ServerName
        let peer: String?
        let version: String?
        var state: String?

        init(_ event: ConnectionEvent, state: String? = nil) {
            server = ServerName(of: event.origin)
            peer = event.remoteAddress.flatMap { PeerName($0)?.address }
            version = ProtocolVersion.number(of: event.protocolName)
            self.state = state
        }

        var dimensions: [(String, String)] {
            var dimensions = server.dimensions
            if let state { dimensions.append(("http.connection.state", state)) }
            if let peer { dimensions.append(("network.peer.address", peer)) }
            if let version { dimensions.append(("network.protocol.version", version)) }
            return dimensions
        }
    }

    private let open: LabelTable<Labels, Meter>
    private let duration: LabelTable<Labels, Timer>

    /// Creates connection metrics.
    ///
    /// - Parameter metrics: The factory for the metrics. Default: the factory with which `MetricsSystem` has been
    ///   bootstrapped.
    public init(metrics: (any MetricsFactory)? = nil) {
        let factory = metrics ?? MetricsSystem.factory
        open = LabelTable(\.dimensions) {
            Meter(label: "http.client.open_connections", dimensions: $0, factory: factory)
        }
        duration = LabelTable(\.dimensions) {
            Timer(
                label: "http.client.connection.duration",
                dimensions: $0,
                preferredDisplayUnit: .seconds,
                factory: factory
            )
        }
    }

    /// Counts a change in the state of a connection.
    public func observe(_ event: ConnectionEvent) {
        if let before = event.previous?.label { open[Labels(event, state: before)].decrement() }
        if let after = event.state.label { open[Labels(event, state: after)].increment() }
        if event.state == .closed { duration[Labels(event)].recordNanoseconds(event.age.nanoseconds) }
    }
}

extension ConnectionEvent.State {
    /// The value of `http.connection.state`; `nil` for a closed connection, which is not counted.
    fileprivate var label: String? {
        switch self {
        case .active: "active"
        case .idle: "idle"
        case .closed: nil
        }
    }
}
