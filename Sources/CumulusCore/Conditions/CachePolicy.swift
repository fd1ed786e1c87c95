// SPDX-License-Identifier: Apache-2.0

/// The cached responses that a request accepts, sent as `Cache-Control` (RFC 9111 section 5.2.1).
public struct CachePolicy: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case useProtocol, reload, noStore, onlyIfCached, cachedElseLoad, offline
        case maxAge(Duration)
    }

    private let kind: Kind

    /// A policy that sends nothing: caches follow HTTP's rules.
    public static let useProtocol = CachePolicy(kind: .useProtocol)
    /// A response that the server has sent or confirmed for this request: `no-cache`.
    ///
    /// The cache modes of browsers differ: their `no-cache` corresponds to a ``maxAge(_:)`` of zero, and their `reload`
    /// sends no conditions.
    public static let reload = CachePolicy(kind: .reload)
    /// Neither the request nor its response may be stored: `no-store`.
    public static let noStore = CachePolicy(kind: .noStore)
    /// A fresh response from a cache, or a 504 if the cache contains no such response: `only-if-cached`.
    public static let onlyIfCached = CachePolicy(kind: .onlyIfCached)
    /// A response from a cache, no matter how stale, or else from the server: `max-stale`.
    ///
    /// A server can forbid the use of stale responses (`must-revalidate`).
    public static let cachedElseLoad = CachePolicy(kind: .cachedElseLoad)
    /// A response from a cache, no matter how stale, or a 504 if the cache contains no such response: `only-if-cached,
    /// max-stale`.
    public static let offline = CachePolicy(kind: .offline)
    /// Creates a policy that accepts responses up to this age, in whole seconds: `max-age`.
    ///
    /// `.maxAge(.zero)` corresponds to the `no-cache` of browsers: the server must confirm that a stored response is
    /// still valid.
    public static func maxAge(_ age: Duration) -> CachePolicy { CachePolicy(kind: .maxAge(age)) }

    /// The directive of the request; `nil` for none.
    var directive: String? {
        switch kind {
        case .useProtocol: nil
        case .reload: "no-cache"
        case .noStore: "no-store"
        case .onlyIfCached: "only-if-cached"
        case .cachedElseLoad: "max-stale"
        case .offline: "only-if-cached, max-stale"
        case .maxAge(let age): "max-age=\(max(0, age.components.seconds))"
        }
    }

    /// Whether the caller wants the whole response, whatever it had before.
    var wantsFresh: Bool { kind == .reload || kind == .noStore }
    /// Whether anything about the response may be stored.
    var mayRemember: Bool { kind != .noStore }
}

extension CachePolicy: CustomStringConvertible {
    /// The directive.
    public var description: String { directive ?? "the protocol's default" }
}
