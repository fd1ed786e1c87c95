// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Looks up a request in the stores, the outermost first: returns a stored response, or the request to send.
final class StoreStage: Sendable {
    /// The tree's memory of revisions; `nil` if nothing is tracked.
    private let revisions: RevisionTracking?
    /// The user's store, then ``revisions``, so that a store sees requests without the conditions that revisions add.
    private let stores: [any ResponseStore]
    private let partitions: RequestPartitions
    private let decodesContent: Bool
    private let clock: any RequestClock

    /// `nil` without stores.
    init?(_ settings: SettingValues, _ transmission: Transmission, _ partitions: RequestPartitions) {
        revisions = RevisionTracking(settings)
        stores = [settings.value(ResponseStoreKey.self), revisions].compactMap(\.self)
        guard !stores.isEmpty else { return nil }
        self.partitions = partitions
        decodesContent = transmission.capabilities.decodesContent
        clock = transmission.clock
    }

    /// The result of a lookup.
    enum LookupResult {
        /// A stored response, and the visits of the stores that see it.
        case response(TransportResponse, StoreVisits?)
        case send(EncodedRequest, StoreVisits)
    }

    /// Looks up a request in the stores.
    ///
    /// - Parameters:
    ///   - request: The request with its cookies.
    ///   - context: The context of the attempt.
    ///   - call: The call, whose cancellation and deadline end a store's wait.
    /// - Returns: A stored response, or the request to send.
    /// - Throws: A store's error as ``CumulusError``, or `CancellationError`.
    func begin(
        _ request: EncodedRequest,
        _ context: StoreContext,
        _ call: CallContext
    ) async throws -> LookupResult {
        var (next, visits) = (request, [any StoreVisit]())
        do {
            for store in stores {
                // A store that has a response finds it without waiting.
                var start = try store.find(next, context)
                if start == nil { start = try await begun(next, by: store, context, call) }
                switch start {
                case .pass, nil: continue
                case .response(let response):
                    // A delivered response has a revision, no matter which store it comes from.
                    if let visit = revisions?.visit(context) { visits.append(visit) }
                    return .response(response, visits.isEmpty ? nil : StoreVisits(visits))
                case .ask(let changed, let visit):
                    visits.append(visit)
                    guard changed.origin == request.origin else {
                        throw OriginChanged(from: request.origin, to: changed.origin)
                    }
                    if let malformation = changed.headers.malformation { throw malformation }
                    next = changed
                }
            }
        } catch {
            StoreVisits(visits).failed()
            throw Stage.describe(error, .interception, .interception, request: context.request)
        }
        return .send(next, StoreVisits(visits))
    }

    /// Waits for a store.
    ///
    /// If the store returns a visit after the call has ended, the visit fails.
    private func begun(
        _ request: EncodedRequest,
        by store: any ResponseStore,
        _ context: StoreContext,
        _ call: CallContext
    ) async throws -> StoreStart {
        let late = Mutex<(visit: (any StoreVisit)?, isOver: Bool)>((nil, false))
        do {
            return try await call.waiting(on: clock, for: context.request) {
                let start = try await store.begin(request, context)
                guard case .ask(_, let visit) = start else { return start }
                let isOver = late.withLock { late in
                    late.visit = visit
                    return late.isOver
                }
                if isOver { visit.failed() }
                return start
            }
        } catch {
            let visit = late.withLock { late in
                late.isOver = true
                return late.visit
            }
            visit?.failed()
            throw error
        }
    }

    /// The request as revision tracking would change it; nothing is sent.
    func preview(_ request: EncodedRequest, _ context: StoreContext) throws -> EncodedRequest {
        guard case .ask(let changed, _)? = try revisions?.find(request, context) else { return request }
        return changed
    }

    /// The user on whose behalf a request is sent, and its route.
    ///
    /// `plain` is the request as the interceptors left it. `users` are those of the authorizers that have added their
    /// credentials; otherwise the present ones count.
    func partition(
        of plain: EncodedRequest,
        after redirects: [Response.Redirect],
        users: [Int: AuthorizerIdentity?] = [:]
    ) -> StorePartition {
        StorePartition(partitions.partition(of: plain, after: redirects, users: users))
    }

    /// The user and the route of a request for the memory of this process, independent of the request's header fields.
    ///
    /// It is only computed if revisions are tracked.
    func localIdentity(of plain: EncodedRequest, after redirects: [Response.Redirect]) -> StorePartition {
        if revisions == nil { return StorePartition() }
        return StorePartition(partitions.identities(of: plain, after: redirects, for: .process))
    }

    /// Whether an authorized request belongs to the user and the route that it was looked up for.
    func isCurrent(_ lookup: StoreLookup, of sent: SentRequest, after redirects: [Response.Redirect]) -> Bool {
        !lookup.partition.isShareable
            || partition(of: lookup.plain, after: redirects, users: sent.applied.users) == lookup.partition
    }

    /// Passes a response to the attempt's visits, the innermost first.
    func received(
        _ response: TransportResponse,
        _ visits: StoreVisits,
        in exchange: StoreExchange,
        _ call: CallContext
    ) async -> TransportResponse {
        // The fields no longer describe a body that the transport has decoded.
        let isDecoded = decodesContent && response.head.mayBeCoded && response.head.headers[.contentEncoding] != nil
        let shown = isDecoded ? TransportResponse(head: response.head.decoded, body: response.body) : response
        let result = await visits.received(shown, in: exchange)
        if result.body !== response.body {
            result.body.leaveExchange()
            await PeekedBody.drain(response.body, on: clock, before: call.end)
        }
        // If no store has added a note, the original head is returned, which still lists its codings.
        return isDecoded && result.body === response.body && result.head.storeNote == nil ? response : result
    }
}
