// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Request heads for which a server may end an HTTP/2 connection.
extension LoopEngine {
    /// Whether a request must not share a connection, since its head may end it.
    func needsOwnConnection(_ exchange: NIOExchange) -> Bool {
        guard let size = exchange.outgoing.largeHead else { return false }
        return memory(of: exchange.request.origin).headSizes.mayEndConnection(size)
    }

    /// Records that a connection has survived a request's head; requests that waited for that may share one now.
    func recordResponse(to exchange: NIOExchange) {
        guard let size = exchange.outgoing.largeHead, needsOwnConnection(exchange) else { return }
        remember(exchange.request.origin) { $0.headSizes.recordResponse(to: size) }
        for slot in Array(slots.values)
        where slot.key.isForLargeHeads && slot.origin == exchange.request.origin && !slot.shared.isEmpty {
            for (number, waiter) in slot.pool.waiters where !needsOwnConnection(waiter) {
                leaveLine(of: slot, number)
                lease(waiter)
            }
        }
    }

    /// Records that a connection has ended under requests, of which the one with the largest head may be the reason.
    func recordLostConnection(under exchanges: [NIOExchange]) {
        let sent = exchanges.filter { $0.fate != .unsent }
        let largest = sent.max { $0.outgoing.largeHead ?? 0 < $1.outgoing.largeHead ?? 0 }
        guard let largest, let size = largest.outgoing.largeHead else { return }
        remember(largest.request.origin) { $0.headSizes.recordLostConnection(under: size) }
    }
}

extension HTTP2Connection {
    /// The failure of a request whose head is larger than the peer accepts.
    func refusal(of exchange: NIOExchange) -> TransportFailure? {
        guard let limit = state.largestHead else { return nil }
        let outgoing = exchange.outgoing
        let size =
            outgoing.largeHead
            ?? (limit >= HTTP2HeadSizes.small
                ? 0 : HTTP2RequestHead.size(of: exchange.request, host: outgoing.traits.host))
        if size <= limit { return nil }
        return .headTooLarge(size, limit: limit, at: exchange.request.origin)
    }

    /// Sends the request that waited for the peer's settings, or fails it if its head is too large.
    func sendHeldRequest() {
        guard let stream = heldStream else { return }
        if let failure = refusal(of: stream.exchange) { return fail(stream, failure) }
        heldStream = nil
        sendRequest(on: stream)
    }
}
