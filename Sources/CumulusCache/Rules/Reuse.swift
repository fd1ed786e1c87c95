// SPDX-License-Identifier: Apache-2.0

/// Whether a stored response may be used for a request without validation by the server (RFC 9111 sections 4.2 and
/// 5.2.1).
enum Reuse: Sendable, Hashable {
    /// It may be used; it is stale if `ttl` is negative. Both values are in seconds.
    case use(age: Int64, ttl: Int64)
    /// It may be used while a newer one is fetched (RFC 5861 section 3).
    case refresh(age: Int64, ttl: Int64)
    /// It must be validated, since it is stale.
    case stale
    /// It must be validated, since the request requires that.
    case refused

    /// Judges a response.
    ///
    /// - Parameters:
    ///   - response: The response, which fits the request.
    ///   - request: The directives of the request's `Cache-Control`.
    ///   - resident: The number of seconds since it arrived; `nil` if it isn't known, which counts as too long.
    ///   - defaultLifetime: The time for which responses are fresh if the server sends no lifetime, in seconds.
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
        // A fresh immutable response need not be requested again (RFC 8246) by a reload, which sends `max-age=0`.
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

    /// Whether a response may be used because the server has failed (RFC 5861 section 4).
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
