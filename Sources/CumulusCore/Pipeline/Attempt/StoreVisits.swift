// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A lookup in the stores: the request, and the partition of its user and route.
struct StoreLookup: Sendable {
    /// The request as the interceptors left it, without cookies, credentials and the stores' conditions.
    let plain: EncodedRequest
    let partition: StorePartition
}

/// The stores' part in one attempt: their visits, and the taps of the response's body.
final class StoreVisits: Sendable {
    private enum State {
        case waiting
        case receiving
        /// The taps see the body that the stores have returned, if it is delivered unchanged.
        case responded(StoreTaps?, of: ResponseBody)
        case over
    }

    private let visits: [any StoreVisit]
    private let state = Mutex(State.waiting)
    private let repeating = Atomic(false)

    /// Whether a store has requested that the request be sent again.
    var needsRepetition: Bool { repeating.load(ordering: .relaxed) }

    init(_ visits: [any StoreVisit]) { self.visits = visits }

    // If interceptors discard an attempt, its visits end as well.
    deinit { failed() }

    /// Passes a response to the visits, unless the attempt is over.
    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> TransportResponse {
        let isOver = state.withLock { state in
            guard case .waiting = state else { return true }
            state = .receiving
            return false
        }
        if isOver { return response }
        var (response, taps) = (response, [any BodyTap]())
        for visit in visits.reversed() {
            let result = await visit.received(response, in: exchange)
            response = result.response
            if result.needsRepetition { repeating.store(true, ordering: .relaxed) }
            if let tap = result.tap { taps.append(tap) }
        }
        let own = taps.isEmpty ? nil : StoreTaps(taps)
        let isLeft = state.withLock { state in
            guard case .receiving = state else { return true }
            state = .responded(own, of: response.body)
            return false
        }
        if isLeft { own?.abandon() }
        return response
    }

    /// Ends the visits and taps: there is no response, or its body won't be read.
    func failed() {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        switch before {
        case .waiting: for visit in visits { visit.failed() }
        case .responded(let taps, _): taps?.abandon()
        case .receiving, .over: break
        }
    }

    /// Returns the taps of a body to the code that attaches them; `nil` for a body that a hook has read or replaced.
    func takeTaps(of body: ResponseBody) -> StoreTaps? {
        let (taps, isOwn) = state.withLock { state -> (StoreTaps?, Bool) in
            guard case .responded(let taps, let own) = state else { return (nil, false) }
            state = .over
            return (taps, own === body)
        }
        if isOwn { return taps }
        taps?.abandon()
        return nil
    }

    /// A stored response that replaces a failure; `nil` if no store has one.
    func fallback(after failure: StoreFailure) async -> TransportResponse? {
        for visit in visits {
            if let response = await visit.fallback(after: failure) { return response }
        }
        return nil
    }
}
