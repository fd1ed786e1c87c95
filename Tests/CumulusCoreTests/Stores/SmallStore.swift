// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// A small cache for the tests of the seam: it keeps whole bodies in memory, as long as `max-age` says.
///
/// Callers of what is being fetched wait for the leader's head: if it can be kept, for the body, too; otherwise each
/// sends its own request.
final class SmallStore: ResponseStore {
    struct Key: Hashable {
        let url: String
        let partition: StorePartition
    }

    struct Entry: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: [UInt8]
        let stored: ContinuousClock.Instant

        func isFresh(at now: ContinuousClock.Instant) -> Bool {
            headers[.cacheControl]?.split(separator: "=").last.flatMap { Int($0) }
                .map { now < stored.advanced(by: .seconds($0)) } ?? false
        }

        func response(_ note: String) -> TransportResponse {
            TransportResponse(
                head: ResponseHead(status: status, headers: headers).noting(note),
                body: ResponseBody(complete: ByteChunk(body))
            )
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]
        var leaders: Set<Key> = []
        var log: [String] = []
        var exchanges: [StoreExchange] = []
        var contexts: [StoreContext] = []
    }

    private let state = Mutex(State())
    /// Whether a caller waits for another's response to the same request.
    let joins: Bool
    /// Whether a response that is no longer fresh is given, and fetched anew meanwhile.
    let givesStale: Bool

    init(joins: Bool = false, givesStale: Bool = false) {
        self.joins = joins
        self.givesStale = givesStale
    }

    var log: [String] { state.withLock(\.log) }
    var count: Int { state.withLock { $0.entries.count } }
    var exchanges: [StoreExchange] { state.withLock(\.exchanges) }
    var contexts: [StoreContext] { state.withLock(\.contexts) }
    var waiting: Int { state.withLock { $0.waiting.values.map(\.count).reduce(0, +) } }

    func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? {
        state.withLock { $0.contexts.append(context) }
        guard request.method == .get, request.headers[.range] == nil else { return .pass }
        let key = Key(url: "\(request.origin)\(request.target)", partition: context.partition)
        if !context.isRefresh, let entry = state.withLock({ $0.entries[key] }) {
            if entry.isFresh(at: context.clock.now) { return .response(entry.response("hit")) }
            if givesStale {
                context.refresh()
                return .response(entry.response("hit; stale"))
            }
        }
        if request.headers[.cacheControl] == "only-if-cached" {
            return .response(
                TransportResponse(head: ResponseHead(status: .gatewayTimeout), body: ResponseBody(complete: .empty))
            )
        }
        return joins ? nil : lead(request, key, context)
    }

    func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart {
        let key = Key(url: "\(request.origin)\(request.target)", partition: context.partition)
        let leads = state.withLock { $0.leaders.insert(key).inserted }
        if leads { return lead(request, key, context) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                state.withLock { state in
                    if state.leaders.contains(key) {
                        state.waiting[key, default: []].append(waiter)
                    } else {
                        waiter.resume()
                    }
                }
            }
        } onCancel: {
            release(key, leads: true)
        }
        try Task.checkCancellation()
        if let entry = state.withLock({ $0.entries[key] }) { return .response(entry.response("hit; collapsed")) }
        return try await begin(request, context)
    }

    private func lead(_ request: EncodedRequest, _ key: Key, _ context: StoreContext) -> StoreStart {
        var asked = request
        let old = state.withLock { $0.entries[key] }
        if asked.headers[.ifNoneMatch] == nil { asked.headers[.ifNoneMatch] = old?.headers[.eTag] }
        return .ask(asked, Visit(store: self, key: key, old: old, clock: context.clock, isDownload: context.isDownload))
    }

    fileprivate func note(_ text: String) { state.withLock { $0.log.append(text) } }

    fileprivate func keep(_ entry: Entry, as key: Key) {
        state.withLock { state in
            state.entries[key] = entry
            state.log.append("kept")
        }
        release(key)
    }

    fileprivate func saw(_ exchange: StoreExchange) { state.withLock { $0.exchanges.append(exchange) } }

    fileprivate func release(_ key: Key, leads: Bool = false) {
        let waiters = state.withLock { state in
            if !leads { state.leaders.remove(key) }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for waiter in waiters { waiter.resume() }
    }

    private struct Visit: StoreVisit {
        let store: SmallStore
        let key: Key
        let old: Entry?
        let clock: any RequestClock
        let isDownload: Bool

        func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
            store.saw(exchange)
            store.note("received \(response.head.status.code)")
            if response.head.status == .notModified, let old {
                let fresh = Entry(
                    status: old.status,
                    headers: old.headers,
                    body: old.body,
                    stored: exchange.responseTime
                )
                store.keep(fresh, as: key)
                return StoreResponse(fresh.response("hit; validated"))
            }
            guard response.head.headers[.cacheControl]?.hasPrefix("max-age") == true, !isDownload else {
                store.release(key)
                return StoreResponse(response)
            }
            return StoreResponse(response, tap: Tap(self, response.head, exchange.responseTime))
        }

        func failed() {
            store.note("failed")
            store.release(key)
        }

        func fallback(after failure: StoreFailure) async -> TransportResponse? {
            switch failure {
            case .status(let head): store.note("fallback after \(head.status.code)")
            case .error: store.note("fallback after an error")
            }
            return old?.response("hit; stale")
        }
    }

    private final class Tap: BodyTap {
        private let visit: Visit
        private let head: ResponseHead
        private let stored: ContinuousClock.Instant
        private let bytes = Mutex<[UInt8]>([])

        init(_ visit: Visit, _ head: ResponseHead, _ stored: ContinuousClock.Instant) {
            self.visit = visit
            self.head = head
            self.stored = stored
        }

        func receive(_ chunk: ByteChunk) async { bytes.withLock { $0 += chunk.bytes } }

        func finish(_ end: ExchangeEnd) async {
            let body = bytes.withLock(\.self)
            visit.store.keep(
                Entry(status: head.status, headers: head.headers, body: body, stored: stored),
                as: visit.key
            )
        }

        func abandon() {
            visit.store.note("abandoned")
            visit.store.release(visit.key)
        }
    }
}
