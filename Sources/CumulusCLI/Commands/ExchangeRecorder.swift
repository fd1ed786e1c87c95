// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// A transport around another that remembers what was really sent and answered, for printing.
///
/// To the core every final answer is a success, so that bodies of any status are streamed whole; the real head is
/// ``lastHead``.
final class ExchangeRecorder: Transport {
    private struct Record {
        var request: TransportRequest?
        var head: ResponseHead?
    }

    private let inner: any Transport
    private let followsRedirects: Bool
    private let record = Mutex(Record())

    init(_ inner: any Transport, followsRedirects: Bool) {
        self.inner = inner
        self.followsRedirects = followsRedirects
    }

    var capabilities: TransportCapabilities { inner.capabilities }

    /// The last request, with its authorization.
    var lastRequest: TransportRequest? { record.withLock(\.request) }

    /// The last response's head as the server sent it; `nil` while the last request is unanswered.
    var lastHead: ResponseHead? { record.withLock(\.head) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        record.withLock { $0 = Record(request: request) }
        let response = try await inner.send(request)
        record.withLock { $0.head = response.head }
        guard isFinal(response.head, of: request) else { return response }
        return TransportResponse(head: ResponseHead(status: .ok, headers: response.head.headers), body: response.body)
    }

    /// Whether the core has nothing to decide: everything but a redirect that it may follow.
    private func isFinal(_ head: ResponseHead, of request: TransportRequest) -> Bool {
        guard followsRedirects, [301, 302, 303, 307, 308].contains(head.status.code) else { return true }
        // A body that can't be sent again stays where it is, unless the redirect drops it.
        let keepsBody = head.status.code > 303 || (head.status.code < 303 && request.method != .post)
        return head.headers[.location] == nil || (keepsBody && !request.body.isReplayable)
    }
}
