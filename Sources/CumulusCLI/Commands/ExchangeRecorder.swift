// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// A transport around another that records requests as they were sent, including authorization, for printing; from
/// responses before the last it keeps only the part that is shown.
final class ExchangeRecorder: Transport {
    /// A request, and its outcome.
    struct Recorded: Sendable {
        let request: TransportRequest
        /// `nil` until a response has arrived.
        var head: ResponseHead?
        /// The beginning of an intermediate response's body; `nil` if it is not kept.
        var body: ByteChunk?
    }

    /// The most of a redirect's body that is shown.
    private static let bodyLimit = 65_536

    private let inner: any Transport
    private let keepsBodies: Bool
    /// `nil` after they were dropped.
    private let recorded = Mutex<[Recorded]?>([])

    init(_ inner: any Transport, for plan: Plan) {
        self.inner = inner
        keepsBodies = plan.output.earlier == .all
    }

    var capabilities: TransportCapabilities { inner.capabilities }
    var isOnOwnThread: Bool { inner.isOnOwnThread }

    /// The last request.
    var lastRequest: TransportRequest? { recorded.withLock { $0?.last?.request } }
    /// All exchanges, including the last one.
    var exchanges: [Recorded] { recorded.withLock { $0 ?? [] } }

    /// Drops the exchanges, also those that are still running: the renewal of a token may last longer than its call.
    func dropExchanges() { recorded.withLock { $0 = nil } }

    func identity(at origin: Origin) -> TransportIdentity { inner.identity(at: origin) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = recorded.withLock { recorded in
            recorded?.append(Recorded(request: request))
            return (recorded?.count ?? 0) - 1
        }
        let response = try await inner.send(request)
        recorded.withLock { $0?[number].head = response.head }
        guard keepsBodies, ExchangeRecorder.leadsElsewhere(response.head) else { return response }
        var held: [UInt8] = []
        while held.count < ExchangeRecorder.bodyLimit, let chunk = try await response.body.next() {
            held += chunk.bytes
        }
        let body = ByteChunk(held)
        recorded.withLock { $0?[number].body = body }
        let source = ReplayedBody(body, before: response.body)
        return TransportResponse(
            head: response.head,
            body: ResponseBody(expectedLength: response.body.expectedLength, source: source)
        )
    }

    private static func leadsElsewhere(_ head: ResponseHead) -> Bool {
        switch head.status.code {
        case 300..<400: head.headers[.location] != nil
        case 401, 429, 500...: true
        default: false
        }
    }
}
