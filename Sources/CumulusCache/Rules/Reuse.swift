// SPDX-License-Identifier: Apache-2.0

/// Whether a stored response may be used for a request without asking the server (RFC 9111 sections 4.2 and 5.2.1).
enum Reuse: Sendable, Hashable {
    /// It may be used, although it is stale if `ttl` is negative; both in seconds.
    case use(age: Int64, ttl: Int64)
    /// It may be used while a newer one is fetched (RFC 5861 section 3).
    case refresh(age: Int64, ttl: Int64)
    /// The server has to be asked, since it is stale.
    case stale
    /// The server has to be asked, since the request wants that.
    case refused

    /// Judges a response.
    ///
    /// - Parameters:
    ///   - response: The response, which fits the request.
    ///   - request: What the request's `Cache-Control` says.
    ///   - resident: How many seconds ago it arrived; `nil`, if that isn't known, is too long ago.
    ///   - defaultLifetime: How long responses are fresh of which the server says nothing, in seconds.
    init(_ response: CachedResponse, request: CacheDirectives, resident: Int64?, defaultLifetime: Int64?) {
        guard !request.noCache else {
            self = .refused
            return
        }
        guard let resident, !response.directives.noCache else {
            self = .stale
            return
        }
        let age = response.age(after: resident)
        let ttl = response.lifetime(orElse: defaultLifetime) - age
        let own = response.directives
        // What never changes while it is fresh need not be asked for again (RFC 8246): a reload, that is, which says 0.
        let isTooOld = request.maxAge.map { age > $0 || $0 == 0 } ?? false
        if isTooOld, !(own.isImmutable && ttl > 0 && request.maxAge == 0) {
            self = .refused
            return
        }
        if ttl > 0 {
            self = ttl >= request.minFresh ?? 0 ? .use(age: age, ttl: ttl) : .refused
            return
        }
        self =
            Reuse.stale(-ttl, own, request).map { $0 ? .refresh(age: age, ttl: ttl) : .use(age: age, ttl: ttl) }
            ?? .stale
    }

    /// Whether a stale response may be used with a refresh, or without; `nil` if it may not (section 4.2.4).
    private static func stale(_ excess: Int64, _ own: CacheDirectives, _ request: CacheDirectives) -> Bool? {
        guard !own.mustRevalidate, request.minFresh == nil else { return nil }
        switch request.maxStale {
        case .any?: return false
        case .seconds(let most)? where excess <= most: return false
        default: break
        }
        guard request.maxAge == nil, !request.onlyIfCached, let most = own.staleWhileRevalidate, excess <= most else {
            return nil
        }
        return true
    }

    /// Whether a response may be used since the server has failed (RFC 5861 section 4).
    static func mayReplaceError(
        _ response: CachedResponse,
        request: CacheDirectives,
        resident: Int64?,
        defaultLifetime: Int64?
    ) -> Bool {
        let own = response.directives
        guard let resident, !own.mustRevalidate, !own.noCache, !request.noCache else { return false }
        guard let most = request.staleIfError ?? own.staleIfError else { return false }
        return response.age(after: resident) - response.lifetime(orElse: defaultLifetime) <= most
    }
}
