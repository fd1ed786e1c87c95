// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A GET, HEAD or QUERY, with the facts that the cache's rules need.
struct CacheLookup: Sendable {
    let request: EncodedRequest
    let key: CacheKey
    let audience: Audience
    /// The directives of its `Cache-Control`.
    let directives: CacheDirectives
    let isHead: Bool
    private let traits: RequestTraits
    let isDownload: Bool
    let isRefresh: Bool
    /// Whether it may wait for the response to another call.
    let mayWait: Bool
    /// Whether an interceptor sends the request again: the first one must not wait for it, since the interceptor may
    /// let that one go on only when this one has ended.
    let isRepeated: Bool
    /// The maximum wait; `nil` for no limit.
    let longestWait: Duration?
    let clock: any RequestClock
    let now: Date
    /// In seconds.
    let defaultLifetime: Int64?
    /// The cookies of the 304 that has confirmed the stored response for this caller.
    var cookies: [HTTPField] = []

    init(_ request: EncodedRequest, _ context: StoreContext, _ time: CacheTime, defaultLifetime: Int64?) {
        let fields = request.headers
        self.request = request
        key = CacheKey(request)
        let content = request.method.isQuery ? QueryContent.code(of: request) : nil
        audience = Audience(partition: context.partition, content: content)
        traits = RequestTraits(fields)
        directives = traits.hasDirectives ? CacheDirectives(request: fields) : CacheDirectives()
        isHead = request.method == .head
        isDownload = context.isDownload
        isRefresh = context.isRefresh
        mayWait = context.mayWaitForOthers && !context.isRefresh
        isRepeated = !context.mayWaitForOthers
        longestWait = context.longestWait
        clock = context.clock
        now = time.date(at: context.clock.now)
        self.defaultLifetime = defaultLifetime
    }

    /// The request's fields.
    var fields: HTTPFields { request.headers }
    /// Whether the caller has set conditions.
    var hasConditions: Bool { traits.hasConditions }
    /// Whether only the server can evaluate the conditions.
    var needsServer: Bool { traits.needsServer }
    var wantsPart: Bool { traits.wantsPart }

    /// Whether responses to it can't be distinguished: it has a body that isn't that of a QUERY, or isn't in memory.
    var isOfUnknownContent: Bool {
        if request.method.isQuery { return audience.content == nil }
        if case .none = request.body { return false }
        return true
    }

    /// Whether it may wait for another call's response, and other calls for its own.
    var mayJoin: Bool {
        !isHead && !hasConditions && !wantsPart && !isDownload && !directives.noCache && !directives.noStore
    }

    /// The decision about a request, based on the stored responses.
    enum Finding {
        /// This is the response. `refresh` indicates whether a newer one should be fetched in the meantime.
        case serve(StoredEntry, age: Int64, ttl: Int64, refresh: Bool)
        /// The request is sent to the server, which may confirm this response.
        case ask(StoredEntry?, CacheStatus.Forward)
    }

    /// The stored responses that were considered.
    struct Choice {
        /// The response that fits.
        var chosen: StoredEntry?
        /// Whether no response was considered.
        var isEmpty = true
    }

    /// Considers a stored response for the URL and the user.
    ///
    /// Of those that fit, the most recent one is chosen, and of equally recent ones the last (RFC 9111 section 4.1).
    func consider(_ entry: StoredEntry, _ choice: inout Choice) {
        choice.isEmpty = false
        let stored = entry.response
        guard !stored.variesByAnything, stored.selecting.match(fields), isUsable(stored) else { return }
        if let other = choice.chosen?.response {
            let (theirs, own) = (other.times.made, stored.times.made)
            // Dates are whole seconds.
            if theirs > own || theirs == own && other.responseTime > stored.responseTime { return }
        }
        choice.chosen = entry
    }

    /// Whether a stored response is whole, and in a coding that this request accepts, since a server may have omitted
    /// `Vary`.
    func isUsable(_ stored: CachedResponse) -> Bool {
        !stored.isPart && (stored.codings.isEmpty || AcceptedCodings(fields).contain(stored.codings))
    }

    /// Decides what follows from the stored responses.
    func find(_ choice: Choice) -> Finding {
        guard let chosen = choice.chosen else { return .ask(nil, choice.isEmpty ? .uriMiss : .varyMiss) }
        if isRefresh { return .ask(chosen, .stale) }
        if wantsPart, case .unknown = PartOfWhole(fields, of: chosen.response, length: chosen.length) {
            return .ask(chosen, .partial)
        }
        let resident = CacheTime.elapsed(from: chosen.response.responseTime, to: now)
        switch Reuse(chosen.response, request: directives, resident: resident, defaultLifetime: defaultLifetime) {
        case .use(let age, let ttl): return .serve(chosen, age: age, ttl: ttl, refresh: false)
        case .refresh(let age, let ttl): return .serve(chosen, age: age, ttl: ttl, refresh: true)
        case .stale: return .ask(chosen, .stale)
        case .refused: return .ask(chosen, .request)
        }
    }

    /// The response to return from a stored one.
    func response(from entry: StoredEntry, age: Int64, _ status: CacheStatus) -> TransportResponse {
        let stored = entry.response
        if hasConditions, Preconditions.areFalse(fields, for: stored) {
            return response(.notModified, ByteChunk.empty, status) { [cookies] in
                CacheLookup.aged(Preconditions.notModified(stored), age, cookies)
            }
        }
        if isHead {
            return response(stored.status, .empty, status) { [cookies] in CacheLookup.aged(stored.fields, age, cookies)
            }
        }
        switch wantsPart ? PartOfWhole(fields, of: stored, length: entry.length) : .whole {
        case .part(let range):
            let head = ResponseHead(status: .partialContent, mayBeCoded: false) { [cookies] in
                let whole = CacheLookup.aged(stored.fields, age, cookies)
                return PartOfWhole.fields(of: whole, part: range, length: entry.length ?? range.upperBound)
            }
            return TransportResponse(head: head.noting(status.note), body: entry.reader(range, for: self))
        case .unsatisfiable:
            return response(.rangeNotSatisfiable, .empty, status) {
                var fields: HTTPFields = [.contentRange: "bytes */\(entry.length ?? 0)"]
                fields[.date] = stored.fields[.date]
                return CacheLookup.aged(fields, age, [])
            }
        case .whole, .unknown:
            let head = ResponseHead(status: stored.status, mayBeCoded: stored.isCoded) { [cookies] in
                CacheLookup.aged(stored.fields, age, cookies)
            }
            return TransportResponse(head: head.noting(status.note), body: entry.reader(nil, for: self))
        }
    }

    private func response(
        _ code: HTTPResponse.Status,
        _ bytes: ByteChunk,
        _ status: CacheStatus,
        _ fields: @escaping @Sendable () -> HTTPFields
    ) -> TransportResponse {
        // Most callers never read the fields.
        let head = ResponseHead(status: code, lazily: fields)
        let body = ResponseBody(complete: bytes, end: CacheLookup.end)
        return TransportResponse(head: head.noting(status.note), body: body)
    }

    /// The end of each body, since nothing was exchanged.
    fileprivate static let end = ExchangeEnd()

    /// The response if nothing may be sent (RFC 9111 section 5.2.1.7).
    func gatewayTimeout() -> TransportResponse {
        var status = CacheStatus()
        status.detail = "only-if-cached"
        return response(.gatewayTimeout, .empty, status) { [:] }
    }

    /// The fields with the age (section 4), and the cookies of this exchange.
    private static func aged(_ fields: HTTPFields, _ age: Int64, _ cookies: [HTTPField]) -> HTTPFields {
        var fields = fields
        fields[.age] = String(age)
        for cookie in cookies { fields.append(cookie) }
        return fields
    }
}

extension StoredEntry {
    /// The body, or a part of one that is whole.
    fileprivate func reader(_ range: Range<Int64>?, for lookup: CacheLookup) -> ResponseBody {
        switch body {
        case .bytes(let bytes):
            guard let range else { return ResponseBody(complete: bytes, end: CacheLookup.end) }
            let part = bytes.withUnsafeBytes { whole in
                let (start, end) = (min(Int(range.lowerBound), whole.count), min(Int(range.upperBound), whole.count))
                return [UInt8](whole[start..<max(start, end)])
            }
            return ResponseBody(complete: ByteChunk(part), end: CacheLookup.end)
        case .growing(let body, let expected):
            return body.reader(on: lookup.clock, length: expected, waitingAtMost: lookup.longestWait)
        case .kept(let kept): return kept.body.read(range ?? 0..<kept.body.length)
        }
    }
}
