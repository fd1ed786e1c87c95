// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// A transport around another that remembers the last request as it was sent, authorization included, for printing.
final class ExchangeRecorder: Transport {
    private let inner: any Transport
    private let last = Mutex<TransportRequest?>(nil)

    init(_ inner: any Transport) { self.inner = inner }

    var capabilities: TransportCapabilities { inner.capabilities }

    /// The last request.
    var lastRequest: TransportRequest? { last.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        last.withLock { $0 = request }
        return try await inner.send(request)
    }
}
