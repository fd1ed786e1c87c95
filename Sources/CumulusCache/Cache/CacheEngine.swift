// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// The state that all copies of a cache share: the responses in memory, and the running fetches.
final class CacheEngine: Sendable {
    struct State {
        var table: EntryTable
        /// The running fetches by URL, user and header fields: only calls with equal requests wait for each other.
        var fetches: [RequestKey: SharedFetch] = [:]
        /// The stored responses for which newer ones are being fetched.
        var refreshes: Set<FetchKey> = []
        /// The URLs and users whose last response could not be shared.
        var unjoinable = UnjoinableKeys()
        /// The URLs that were last found to have changed, each with its number.
        var changes = RecentChanges()
        var lastID: UInt64 = 0

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }

        /// Starts to fetch a newer response: one at a time for a URL and a user, and a limited number in total.
        ///
        /// - Returns: False if it must not be fetched now.
        mutating func beginRefresh(_ key: FetchKey) -> Bool {
            refreshes.count < CacheEngine.mostRefreshes && refreshes.insert(key).inserted
        }
    }

    struct FetchKey: Hashable {
        let key: CacheKey
        let audience: Audience

        init(_ lookup: CacheLookup) { (key, audience) = (lookup.key, lookup.audience) }
    }

    struct RequestKey: Hashable {
        let fetch: FetchKey
        let fields: HTTPFields

        init(_ lookup: CacheLookup) { (fetch, fields) = (FetchKey(lookup), lookup.fields) }
    }

    /// The maximum number of newer responses that are fetched at the same time.
    ///
    /// Beyond it, stale ones are served without a refresh.
    static let mostRefreshes = 256

    /// The maximum number of calls that wait for one response.
    static let mostWaiters = 1_024
    /// The maximum time for which they wait for a body if only its end determines whether it is stored.
    static let patience = Duration.seconds(5)

    let state: Mutex<State>
    let time: CacheTime
    /// The storage for responses that outlive the process; `nil` for memory only.
    let storage: (any CacheStorage)?
    /// The largest body that is stored in memory, in bytes.
    let largestBody: Int

    init(capacity: Int, storage: (any CacheStorage)? = nil, time: CacheTime) {
        state = Mutex(State(table: EntryTable(capacity: capacity)))
        self.storage = storage
        self.time = time
        largestBody = capacity / 4
    }

    /// Looks up a request, without waiting.
    ///
    /// - Returns: The decision; `nil` if the lookup has to wait.
    func find(_ request: EncodedRequest, _ context: StoreContext, defaultLifetime: Int64?) -> StoreStart? {
        let lookup = CacheLookup(request, context, time, defaultLifetime: defaultLifetime)
        guard request.method == .get || request.method == .head || request.method.isQuery else {
            if lookup.directives.onlyIfCached { return .response(lookup.gatewayTimeout()) }
            if Invalidation.isSafe(request.method) { return .pass }
            return .ask(request, ChangeVisit(engine: self, request: request))
        }
        if let start = unstored(lookup) { return start }
        if storage != nil, lookup.audience.partition.isLasting { return nil }
        return state.withLock { state -> Step in decide(lookup, [], &state, mayJoin: true) }.start(for: self, context)
    }

    /// Looks up a request that may have to wait for another call's response, or for a disk.
    func begin(
        _ request: EncodedRequest,
        _ context: StoreContext,
        defaultLifetime: Int64?
    ) async throws -> StoreStart {
        var (mayJoin, hasWaited) = (true, false)
        let began = context.clock.now
        while true {
            // Time has passed during the wait.
            let lookup = CacheLookup(request, context, time, defaultLifetime: defaultLifetime)
            let kept = await keptEntries(lookup)
            let step = state.withLock { state -> Step in
                decide(lookup, kept, &state, mayJoin: mayJoin, isCollapsed: hasWaited)
            }
            if let start = step.start(for: self, context) { return start }
            guard case .wait(let fetch) = step else { return .pass }
            let outcome = try await outcome(of: fetch, lookup, since: began)
            // The cause that ended the other call may also have ended this one.
            try Task.checkCancellation()
            switch outcome {
            case .stored: (mayJoin, hasWaited) = (false, true)
            // If the server can't be reached, all waiting calls find out at the same time, not one after another.
            case .released, .failed, .arriving: mayJoin = false
            case .cancelled: break
            }
        }
    }

    /// Waits for the fetch of another call: for its head and, if the head doesn't determine whether the response can be
    /// stored, for its body.
    ///
    /// - Throws: `TransportFailure` if the head takes longer than this call allows a server to take.
    private func outcome(
        of fetch: SharedFetch,
        _ lookup: CacheLookup,
        since began: ContinuousClock.Instant
    ) async throws -> SharedFetch.Outcome {
        let (clock, limit) = (lookup.clock, lookup.longestWait)
        let first: SharedFetch.Outcome
        if let limit {
            guard let outcome = try await fetch.wait(most: limit - began.duration(to: clock.now), on: clock) else {
                throw TransportFailure.timeout(
                    .response,
                    "waiting for another call's response for the same URL",
                    limit: limit,
                    elapsed: began.duration(to: clock.now),
                    fate: .unsent
                )
            }
            first = outcome
        } else {
            first = try await fetch.wait()
        }
        guard case .arriving(let body) = first else { return first }
        let patience = min(CacheEngine.patience, limit ?? CacheEngine.patience)
        if let outcome = try await body.wait(most: patience, on: clock) { return outcome }
        // Other calls must not wait for it as well.
        state.withLock { $0.unjoinable.add(FetchKey(lookup), at: lookup.clock.now) }
        return .released
    }

    /// Decides about requests for which the cache isn't used: those with `no-store`, those whose conditions only the
    /// server can evaluate, those for a part of a file or of a QUERY's response, those with a body that the cache can't
    /// compare, and those of an unknown user or over an unverified route.
    private func unstored(_ lookup: CacheLookup) -> StoreStart? {
        let isPart = lookup.wantsPart && (lookup.isDownload || lookup.request.method.isQuery)
        guard
            lookup.directives.noStore || lookup.needsServer || lookup.isOfUnknownContent || isPart
                || !lookup.audience.partition.isShareable
        else { return nil }
        if lookup.directives.onlyIfCached { return .response(lookup.gatewayTimeout()) }
        return lookup.isDownload ? .pass : .ask(lookup.request, UncachedVisit())
    }

    /// The result of a lookup, decided at one moment.
    enum Step {
        /// A stored response; `nil` if none may be used and nothing may be sent.
        case serve(CacheLookup, StoredEntry?, age: Int64, CacheStatus, refresh: Bool)
        case ask(EncodedRequest, any StoreVisit)
        case wait(SharedFetch)

        /// The decision that the pipeline receives; `nil` for a wait.
        ///
        /// Bodies are made here, outside the lock, since they may be those of a third-party storage, or copies.
        func start(for engine: CacheEngine, _ context: StoreContext) -> StoreStart? {
            switch self {
            case .serve(let lookup, let entry, let age, let status, let refresh):
                if refresh {
                    let key = FetchKey(lookup)
                    context.refresh { engine.state.withLock { _ = $0.refreshes.remove(key) } }
                }
                guard let entry else { return .response(lookup.gatewayTimeout()) }
                return .response(lookup.response(from: entry, age: age, status))
            case .ask(let request, let visit): return .ask(request, visit)
            case .wait: return nil
            }
        }
    }

    private func decide(
        _ lookup: CacheLookup,
        _ kept: [StoredEntry],
        _ state: inout State,
        mayJoin: Bool,
        isCollapsed: Bool = false
    ) -> Step {
        var choice = CacheLookup.Choice()
        for entry in kept { lookup.consider(entry, &choice) }
        state.table.each(lookup.key, lookup.audience) { entry in
            if entry.isFor(followers: isCollapsed) { lookup.consider(entry, &choice) }
        }
        switch lookup.find(choice) {
        case .serve(let entry, let age, let ttl, let refresh):
            state.table.mark(entry.id)
            if case .growing(let body, _) = entry.body { body.follow() }
            var status = CacheStatus(hit: ttl)
            status.isCollapsed = isCollapsed
            var refreshes = false
            if refresh {
                refreshes = state.beginRefresh(FetchKey(lookup))
                status.detail = "refreshing"
            }
            return .serve(lookup, entry, age: age, status, refresh: refreshes)
        case .ask(let chosen, let reason):
            if lookup.directives.onlyIfCached {
                return .serve(lookup, nil, age: 0, CacheStatus(), refresh: false)
            }
            return ask(lookup, chosen, reason, kept, &state, mayJoin: mayJoin)
        }
    }

    private func ask(
        _ lookup: CacheLookup,
        _ chosen: StoredEntry?,
        _ reason: CacheStatus.Forward,
        _ kept: [StoredEntry],
        _ state: inout State,
        mayJoin: Bool
    ) -> Step {
        var fetch: SharedFetch?
        if lookup.mayJoin, !state.unjoinable.contain(FetchKey(lookup), at: lookup.clock.now) {
            let key = RequestKey(lookup)
            if let other = state.fetches[key] {
                let joins = mayJoin && lookup.mayWait && other.waiterCount < CacheEngine.mostWaiters
                if joins { return .wait(other) }
            } else if !lookup.isRepeated {
                fetch = SharedFetch()
                state.fetches[key] = fetch
            }
        }
        let entries = kept + state.table.entries(lookup.key, lookup.audience)
        var asked = lookup.request
        let validates = !lookup.hasConditions && !lookup.wantsPart && !lookup.isHead && !lookup.isDownload
        if validates, let chosen, chosen.response.hasValidator {
            Preconditions.add(to: &asked.headers, for: chosen.response)
        }
        let visit = ReadVisit(
            engine: self,
            lookup: lookup,
            entries: entries,
            chosen: chosen,
            reason: reason,
            fetch: fetch,
            validates: validates && chosen?.response.hasValidator == true,
            changes: state.changes.count
        )
        return .ask(asked, visit)
    }

    /// Ends a fetch.
    func end(_ fetch: SharedFetch?, of lookup: CacheLookup, _ outcome: SharedFetch.Outcome) {
        guard let fetch else { return }
        state.withLock { state in
            let own = RequestKey(lookup)
            if state.fetches[own] === fetch { state.fetches[own] = nil }
            if case .released = outcome { state.unjoinable.add(FetchKey(lookup), at: lookup.clock.now) }
        }
        fetch.end(outcome)
    }

    /// Removes the stored responses to URLs, for all users.
    func invalidate(_ keys: [CacheKey]) async {
        state.withLock { state in
            for key in keys {
                state.table.remove(key)
                state.changes.add(key)
            }
        }
        await forget(keys)
    }
}

/// The URLs and users for which calls don't wait, since the last response couldn't be shared.
///
/// Waiting would only send the requests one after another.
struct UnjoinableKeys {
    // Hashes, so that long URLs take no memory. If two are equal, calls don't wait for one more URL.
    private var ends: [Int: ContinuousClock.Instant] = [:]

    private static let most = 256
    private static let time = Duration.seconds(60)

    mutating func add(_ key: CacheEngine.FetchKey, at now: ContinuousClock.Instant) {
        if ends.count >= UnjoinableKeys.most { ends = ends.filter { $0.value > now } }
        if ends.count >= UnjoinableKeys.most { ends = [:] }
        ends[key.hashValue] = now.advanced(by: UnjoinableKeys.time)
    }

    func contain(_ key: CacheEngine.FetchKey, at now: ContinuousClock.Instant) -> Bool {
        ends[key.hashValue].map { $0 > now } ?? false
    }
}

/// The URLs that have changed last.
///
/// Responses to requests sent before the change must not be stored any more.
struct RecentChanges {
    // Hashes, so that long URLs take no memory. If two are equal, one more response is not stored.
    private var keys: [Int] = []
    /// The number of changes so far.
    private(set) var count: UInt64 = 0

    private static let most: UInt64 = 512

    mutating func add(_ key: CacheKey) {
        if keys.count < Int(RecentChanges.most) {
            keys.append(key.hashValue)
        } else {
            keys[Int(count % RecentChanges.most)] = key.hashValue
        }
        count += 1
    }

    /// Records that all URLs may have changed.
    mutating func addAll() {
        keys = []
        count += RecentChanges.most - count % RecentChanges.most + RecentChanges.most
    }

    /// Whether a URL may have changed since the number of changes was `before`.
    func touch(_ key: CacheKey, since before: UInt64) -> Bool {
        let news = count - min(before, count)
        guard news > 0 else { return false }
        guard news < RecentChanges.most else { return true }
        let hash = key.hashValue
        return (before..<count).contains { keys[Int($0 % RecentChanges.most)] == hash }
    }
}
