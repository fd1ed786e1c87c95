// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Tracing

/// A transport that records each exchange of another one.
struct TelemetryTransport: Transport {
    private let next: any Transport
    private let recorder: TelemetryRecorder
    private let origin: Origin?

    init(_ next: any Transport, _ setting: TelemetrySetting) {
        self.next = next
        (recorder, origin) = (setting.recorder, setting.origin)
    }

    var capabilities: TransportCapabilities { next.capabilities }
    var isOnOwnThread: Bool { next.isOnOwnThread }
    func identity(at origin: Origin) -> TransportIdentity { next.identity(at: origin) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let backends = recorder.backends else { return try await next.send(request) }
        let (context, exchange) = backends.begin(request, in: ServiceContext.current ?? .topLevel)
        var sent = request
        if recorder.propagation.reaches(request, from: origin) { backends.inject(context, into: &sent.headers) }
        guard let exchange else { return try await next.send(sent) }
        do {
            return await exchange.received(try await next.send(sent))
        } catch {
            exchange.end(with: error)
            throw error
        }
    }
}

extension TracePropagation {
    /// Whether a request gets the context, if telemetry was set at an origin.
    func reaches(_ request: TransportRequest, from own: Origin?) -> Bool {
        // The pipeline sets `offersIdentity` to false after a redirect to another origin.
        guard request.offersIdentity else { return false }
        return switch self {
        case .ownOrigin: request.origin == own
        case .origins(let origins): origins.contains(request.origin)
        case .none: false
        }
    }
}
