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

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // An invalid request is refused here, too.
        _ = try WrittenRequest(request)
        return TransportResponse(head: ResponseHead(status: .noContent), body: ResponseBody(complete: .empty))
    }
}
