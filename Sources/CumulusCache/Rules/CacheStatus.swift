// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// What a cache did for a response, as the field `Cache-Status` says it (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
    /// Why a request was sent.
    public enum Forward: String, Sendable, Hashable {
        /// The cache wasn't to be used: the request says `no-store`, has conditions that only the server can judge, or has
        /// a body other than a QUERY's in memory.
        case bypass
        /// The method's responses are not stored.
        case method
        /// Nothing was stored for the URL.
        case uriMiss = "uri-miss"
        /// What was stored is for other header fields (`Vary`).
        case varyMiss = "vary-miss"
        /// Nothing fitting was stored.
        case miss
        /// The request wanted a response from the server: by `no-cache`, or by an age.
        case request
        /// What was stored had to be validated.
        case stale
        /// A part was wanted that couldn't be taken from what was stored.
        case partial
    }

    /// Whether the response is a stored one, and nothing was sent.
    public var isHit = false
    /// Why the request was sent; `nil` if it wasn't.
    public var forward: Forward?
    /// The status of the server's response, if it isn't the delivered one: 304 after a validation.
    public var forwardStatus: Int?
    /// How many seconds it stays fresh; negative for a stale one, `nil` if nothing is stored.
    public var timeToLive: Int64?
    /// Whether the response that came from the server is kept, if its body arrives.
    public var isStored = false
    /// Whether the response is that of another call, for which this one has waited.
    public var isCollapsed = false
    /// What else there is to say, such as `refreshing`; a token.
    public var detail: String?

    /// Makes a status that says nothing yet.
    public init() {}

    init(hit ttl: Int64, detail: String? = nil) {
        isHit = true
        timeToLive = ttl
        self.detail = detail
    }

    init(_ forward: Forward) { self.forward = forward }

    /// Whether the server has confirmed the stored response.
    public var isRevalidated: Bool { !isHit && forwardStatus == 304 }
    /// Whether the response is a stored one that is no longer fresh.
    public var isStale: Bool { isHit && timeToLive ?? 0 < 0 }

    /// The parameters, `hit; ttl=30`, as a store notes them.
    var note: String {
        // What most hits say, without the steps for the rest.
        if isHit, detail == nil, !isCollapsed, let timeToLive { return "hit; ttl=\(timeToLive)" }
        var parts: [String] = []
        if isHit { parts.append("hit") }
        if let forward { parts.append("fwd=\(forward.rawValue)") }
        if let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
        if let timeToLive { parts.append("ttl=\(timeToLive)") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        if let detail { parts.append("detail=\(detail)") }
        return parts.joined(separator: "; ")
    }

    /// Reads what ``note`` wrote; `nil` for another store's note.
    init?(note: String) {
        for part in note.parts(at: ";") {
            let (name, value) = part.cut(at: "=") ?? (part, "")
            switch name.trimmed {
            case "hit": isHit = true
            case "fwd": forward = Forward(rawValue: String(value))
            case "fwd-status": forwardStatus = Int(value)
            case "ttl": timeToLive = Int64(value)
            case "stored": isStored = true
            case "collapsed": isCollapsed = true
            case "detail": detail = String(value)
            default: return nil
            }
        }
        if !isHit && forward == nil && detail == nil { return nil }
    }
}

extension CacheStatus: CustomStringConvertible {
    /// The member of a `Cache-Status` field: `Cumulus; hit; ttl=30`.
    public var description: String { "Cumulus; \(note)" }
}

extension Response {
    /// What the cache of this program did; `nil` without a ``ResponseCache``, and for what it has no part in: safe methods
    /// other than GET, HEAD and QUERY, and parts of a download.
    ///
    /// What caches on the way did is in the field `Cache-Status`.
    public var cacheStatus: CacheStatus? { storeNote.flatMap(CacheStatus.init(note:)) }
}

extension CallEvent {
    /// What the cache of this program did for the response that a call delivers, so that an observer can count it once a
    /// call; `nil` for all other events, for downloads, and without a ``ResponseCache``.
    public var cacheStatus: CacheStatus? {
        switch kind {
        case .delivered(let response): response.cacheStatus
        case .streaming(let head): head.storeNote.flatMap(CacheStatus.init(note:))
        default: nil
        }
    }
}

extension ResponseStream {
    /// What the cache of this program did; `nil` without a ``ResponseCache``.
    public var cacheStatus: CacheStatus? { storeNote.flatMap(CacheStatus.init(note:)) }
}
