// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// The result of a cache lookup for a response, as in the field `Cache-Status` (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
    /// The reason why a request was sent.
    public enum Forward: String, Sendable, Hashable {
        /// The cache wasn't used: the request has `no-store`, has conditions that only the server can evaluate, or has
        /// a body, unless it is a QUERY with a body in memory; or its user or route can't be identified.
        case bypass
        /// Responses to the method are not stored.
        case method
        /// Nothing was stored for the URL.
        case uriMiss = "uri-miss"
        /// The stored responses are for other header fields (`Vary`).
        case varyMiss = "vary-miss"
        /// No matching response was stored.
        case miss
        /// The request required a response from the server: by `no-cache`, or by a maximum age.
        case request
        /// The stored response had to be validated.
        case stale
        /// The request was for a range that a stored response couldn't provide.
        case partial
    }

    /// Whether a stored response was used, and nothing was sent.
    public var isHit = false
    /// The reason why the request was sent; `nil` if it wasn't.
    public var forward: Forward?
    /// The status of the server's response, if it isn't the delivered one: 304 after a validation.
    public var forwardStatus: Int?
    /// The number of seconds for which the response stays fresh; negative for a stale response, `nil` if no response is
    /// stored.
    public var timeToLive: Int64?
    /// Whether the server's response will be stored once its body has arrived.
    public var isStored = false
    /// Whether the response comes from another call that this call waited for.
    public var isCollapsed = false
    /// Additional information as a token, such as `refreshing`.
    public var detail: String?

    /// Creates an empty status.
    public init() {}

    init(hit ttl: Int64, detail: String? = nil) {
        isHit = true
        timeToLive = ttl
        self.detail = detail
    }

    init(_ forward: Forward) { self.forward = forward }

    /// Whether the server has confirmed the stored response.
    public var isRevalidated: Bool { !isHit && forwardStatus == 304 }
    /// Whether a stored response was used that is no longer fresh.
    public var isStale: Bool { isHit && timeToLive ?? 0 < 0 }

    /// The parameters, `hit; ttl=30`, as a store notes them.
    var note: String {
        // The note of most hits, without the steps for others.
        if isHit, detail == nil, !isCollapsed, let timeToLive { return "hit; ttl=\(timeToLive)" }
        var note = isHit ? "hit" : ""
        func add(_ name: String, _ value: String = "") {
            if !note.isEmpty { note += "; " }
            note += name
            note += value
        }
        if let forward { add("fwd=", forward.rawValue) }
        if let forwardStatus { add("fwd-status=", String(forwardStatus)) }
        if let timeToLive { add("ttl=", String(timeToLive)) }
        if isStored { add("stored") }
        if isCollapsed { add("collapsed") }
        if let detail { add("detail=", detail) }
        return note
    }

    /// Reads the text of ``note``; `nil` for another store's note.
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
    /// The status as a member of a `Cache-Status` field: `Cumulus; hit; ttl=30`.
    public var description: String { "Cumulus; \(note)" }
}

extension Response {
    /// The result of the lookup in this program's cache; `nil` without a ``ResponseCache``, and for requests for which
    /// it isn't used: safe methods other than GET, HEAD and QUERY, and parts of a download.
    ///
    /// The field `Cache-Status` contains the results of caches on the network path.
    public var cacheStatus: CacheStatus? { storeNote.flatMap(CacheStatus.init(note:)) }
}

extension CallEvent {
    /// The result of the lookup in this program's cache for the response that a call delivers, so that an observer can
    /// count it once for each call.
    ///
    /// `nil` for all other events, for downloads, and without a ``ResponseCache``.
    public var cacheStatus: CacheStatus? {
        switch kind {
        case .delivered(let response): response.cacheStatus
        case .streaming(let head): head.storeNote.flatMap(CacheStatus.init(note:))
        default: nil
        }
    }
}

extension ResponseStream {
    /// The result of the lookup in this program's cache; `nil` without a ``ResponseCache``.
    public var cacheStatus: CacheStatus? { storeNote.flatMap(CacheStatus.init(note:)) }
}
