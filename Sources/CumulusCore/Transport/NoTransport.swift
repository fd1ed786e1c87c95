// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The transport of places from which nothing is sent.
struct NoTransport: Transport {
    var capabilities: TransportCapabilities { TransportCapabilities() }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportFailure(.invalidRequest, "the call has no URL", fate: .unsent)
    }

    func identity(at origin: Origin) -> TransportIdentity { .unknown }
}
