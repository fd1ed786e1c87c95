// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cache's part in a GET, HEAD or QUERY that is sent.
struct ReadVisit: StoreVisit {
    let engine: CacheEngine
    let lookup: CacheLookup
    /// The stored responses for the URL and the user.
    let entries: [StoredEntry]
    /// The stored response that fits the request.
    let chosen: StoredEntry?
    let reason: CacheStatus.Forward
    /// The fetch for which other calls wait; `nil` if no call can.
    let fetch: SharedFetch?
    /// Whether the cache has added conditions.
    let validates: Bool
    /// The number of changes when the request was sent.
    let changes: UInt64

    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
        let times = Times(exchange, engine.time)
        if response.head.status == .notModified {
            return validates ? await confirmed(response, times) : await seen(response, times)
        }
        if lookup.isHead { return await head(response, times) }
        return await stored(response, times)
    }

    func failed() { engine.end(fetch, of: lookup, Task.isCancelled ? .cancelled : .failed) }

    func fallback(after failure: StoreFailure) async -> TransportResponse? {
        if case .status(let head) = failure, ![500, 502, 503, 504].contains(head.status.code) { return nil }
        guard let chosen, !engine.state.withLock({ $0.changes.touch(lookup.key, since: changes) }) else { return nil }
        // Time has passed with attempts and pauses.
        let now = engine.time.date(at: lookup.clock.now)
        let resident = CacheTime.elapsed(from: chosen.response.responseTime, to: now)
        guard isOfferable(after: resident), let resident else { return nil }
        let age = chosen.response.age(after: resident)
        var status = CacheStatus(hit: chosen.response.lifetime(orElse: lookup.defaultLifetime) - age)
        status.detail = "error"
        return lookup.response(from: chosen, age: age, status)
    }

    private func isOfferable(after resident: Int64?) -> Bool {
        guard let chosen else { return false }
        return Reuse.mayReplaceError(
            chosen.response,
            request: lookup.directives,
            resident: resident,
            defaultLifetime: lookup.defaultLifetime
        )
    }

    /// The times of the exchange.
    private struct Times {
        let responseTime: Date
        let delay: Int64

        init(_ exchange: StoreExchange, _ time: CacheTime) {
            responseTime = time.date(at: exchange.responseTime)
            // Rounded: with whole seconds, a computed age is hardly ever too small.
            let delay = exchange.requestTime.duration(to: exchange.responseTime) + .milliseconds(500)
            self.delay = max(0, delay.components.seconds)
        }
    }

    /// A 304 to the cache's own conditions: the stored response is returned (RFC 9111 section 4.3.3).
    private func confirmed(_ response: TransportResponse, _ times: Times) async -> StoreResponse {
        let fields = response.head.headers
        let stored = entries.map(\.response).filter(lookup.isUsable)
        let named = Preconditions.confirmed(by: fields, among: stored, validated: chosen?.response)
        guard let entry = entries.first(where: { $0.response === named }), await engine.opens(entry) else {
            return await unconfirmed(response)
        }
        let fresh = entry.response.confirmed(
            by: fields,
            request: lookup.fields,
            responseTime: times.responseTime,
            delay: times.delay
        )
        let new = StoredEntry(id: entry.id, response: fresh, body: entry.body)
        let isKept = await engine.update(new, of: lookup, changes)
        engine.end(fetch, of: lookup, isKept ? .stored : .released)
        var status = CacheStatus(reason)
        status.forwardStatus = 304
        let age = fresh.age(after: CacheTime.elapsed(from: fresh.responseTime, to: times.responseTime) ?? 0)
        status.timeToLive = fresh.lifetime(orElse: lookup.defaultLifetime) - age
        var lookup = lookup
        lookup.cookies = fields.filter { $0.name == .setCookie }
        return StoreResponse(lookup.response(from: new, age: age, status))
    }

    /// A 304 for another version, or for one whose body was removed.
    ///
    /// The stored responses are outdated, so the request is sent again without conditions.
    private func unconfirmed(_ response: TransportResponse) async -> StoreResponse {
        for entry in entries where entry.response.selecting.match(lookup.fields) {
            await engine.remove(entry, of: lookup)
        }
        engine.end(fetch, of: lookup, .released)
        var own = StoreResponse(response)
        own.needsRepetition = true
        return own
    }

    /// A 304 to the caller's conditions is delivered to the caller.
    ///
    /// It may also confirm a stored response.
    private func seen(_ response: TransportResponse, _ times: Times) async -> StoreResponse {
        let fields = response.head.headers
        if fields.contains(.eTag) || fields.contains(.lastModified),
            let named = Preconditions.confirmed(
                by: fields,
                among: entries.map(\.response),
                validated: chosen?.response
            ),
            let entry = entries.first(where: { $0.response === named })
        {
            await update(entry, by: fields, times)
        }
        engine.end(fetch, of: lookup, .released)
        return noted(response)
    }

    /// Updates stored responses to a GET with the response to a HEAD (section 4.3.5).
    private func head(_ response: TransportResponse, _ times: Times) async -> StoreResponse {
        let fields = response.head.headers
        if response.head.status == .ok, !fields.contains(.contentRange), let chosen, chosen.response.status == .ok {
            if Preconditions.head(fields, speaksOf: chosen.response, length: chosen.length) {
                await update(chosen, by: fields, times)
            } else {
                await engine.remove(chosen, of: lookup)
            }
        }
        let code = response.head.status.code
        if [404, 410].contains(code), let chosen, chosen.response.status.code != code {
            await engine.remove(chosen, of: lookup)
        }
        engine.end(fetch, of: lookup, .released)
        return noted(response)
    }

    private func update(_ entry: StoredEntry, by fields: HTTPFields, _ times: Times) async {
        let fresh = entry.response.confirmed(
            by: fields,
            request: lookup.fields,
            responseTime: times.responseTime,
            delay: times.delay
        )
        await engine.update(StoredEntry(id: entry.id, response: fresh, body: entry.body), of: lookup, changes)
    }

    /// Stores a response to a GET or QUERY, or removes the response that it replaces.
    private func stored(_ response: TransportResponse, _ times: Times) async -> StoreResponse {
        let head = response.head
        let new = CachedResponse(
            status: head.status,
            received: head.headers,
            request: lookup.fields,
            responseTime: times.responseTime,
            delay: times.delay
        )
        let isError = head.status.kind == .serverError
        let isOld = isError && isOfferable(after: chosen.flatMap { now(times, since: $0) })
        guard !lookup.isDownload, !isOld, mayStore(new, length: response.body.expectedLength),
            let tap = await engine.insert(new, for: self, length: response.body.expectedLength)
        else {
            // A newer response has arrived, even if it isn't stored. A refusal doesn't concern the stored response.
            let isNews =
                [.successful, .redirection].contains(head.status.kind) || [404, 410].contains(head.status.code)
            let isPart = head.status == .partialContent || new.isPart
            if isNews, !isPart, let chosen { await engine.remove(chosen, of: lookup) }
            engine.end(fetch, of: lookup, .released)
            return noted(response)
        }
        engine.end(fetch, of: lookup, tap.outcome)
        var status = CacheStatus(reason)
        status.isStored = true
        return StoreResponse(
            TransportResponse(head: head.noting(status.note), body: response.body),
            tap: tap
        )
    }

    /// The responses in the storage that this request finds, and that a new one doesn't replace.
    ///
    /// As in memory, only the newest stays.
    func superseded(by new: CachedResponse) -> [StoredEntry] {
        entries.filter { entry in
            guard case .kept = entry.body else { return false }
            return entry.response.selecting != new.selecting && entry.response.selecting.match(lookup.fields)
        }
    }

    private func mayStore(_ new: CachedResponse, length: Int64?) -> Bool {
        guard Storability.allows(new, request: lookup.directives) else { return false }
        // A different response to a request for a part may only concern the part.
        if lookup.wantsPart, new.status != .ok { return false }
        guard Storability.isSilent(new) else { return true }
        // The body may never end, and a response on a disk would hardly ever be used.
        return length != nil && (lookup.defaultLifetime != nil || !engine.keepsElsewhere(lookup))
    }

    private func now(_ times: Times, since entry: StoredEntry) -> Int64? {
        CacheTime.elapsed(from: entry.response.responseTime, to: times.responseTime)
    }

    private func noted(_ response: TransportResponse) -> StoreResponse {
        let status = CacheStatus(lookup.isHead && reason == .uriMiss ? .method : reason)
        return StoreResponse(TransportResponse(head: response.head.noting(status.note), body: response.body))
    }
}

/// The cache's part in a request for which it isn't used.
struct UncachedVisit: StoreVisit {
    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
        let status = CacheStatus(.bypass)
        return StoreResponse(TransportResponse(head: response.head.noting(status.note), body: response.body))
    }

    func failed() {}
}

/// The cache's part in a request that changes a resource (RFC 9111 section 4.4).
struct ChangeVisit: StoreVisit {
    let engine: CacheEngine
    let request: EncodedRequest

    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
        await engine.invalidate(Invalidation.urls(of: request, response.head))
        let status = CacheStatus(.method)
        return StoreResponse(TransportResponse(head: response.head.noting(status.note), body: response.body))
    }

    func failed() {}
}
