// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPTypes

/// The transport of `--offline`: the request passes through the whole pipeline, but is not sent.
struct OfflineTransport: Transport {
    var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        // It connects to nothing.
        capabilities.guardsAddresses = true
        return capabilities
    }

    /// Unknown: its responses are made up, so they must not be stored.
    func identity(at origin: Origin) -> TransportIdentity { .unknown }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // An invalid request is refused here, too.
        _ = try WrittenRequest(request)
        return TransportResponse(head: ResponseHead(status: .noContent), body: ResponseBody(complete: .empty))
    }
}
