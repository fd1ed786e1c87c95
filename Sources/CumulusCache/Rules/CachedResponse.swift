// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stored response without its body.
///
/// It never changes, so it is shared by reference.
public final class CachedResponse: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The fields that may be stored (RFC 9111 section 3.1), always with a `Date`.
    public let fields: HTTPFields
    /// The request fields on which the response depends.
    public let selecting: SelectingFields
    /// The date when the response's head arrived, or the head of the last response that confirmed it.
    public let responseTime: Date
    /// The time between request and response, in seconds.
    public let delay: Int64

    /// The directives of its `Cache-Control`.
    let directives: CacheDirectives
    /// Its age and lifetime.
    let times: StoredTimes
    /// The content codings of the bytes, in lower case.
    let codings: [String]
    /// The entity tag, as it was sent: each byte as one scalar.
    let entityTag: String?
    /// The date of its last change, as it was sent.
    let lastModified: String?
    /// Whether the bytes have a content coding.
    let isCoded: Bool
    /// Whether it depends on everything (`Vary: *`).
    let variesByAnything: Bool
    /// Whether it may be only a part: some servers send a requested part with status 200 (`Content-Range`).
    let isPart: Bool

    /// Creates a response from its stored data.
    public convenience init(
        status: HTTPResponse.Status,
        fields: HTTPFields,
        selecting: SelectingFields,
        responseTime: Date,
        delay: Int64
    ) {
        self.init(status, fields, CacheDirectives(response: fields), selecting, responseTime, delay)
    }

    /// Creates a response from one that was received.
    convenience init(
        status: HTTPResponse.Status,
        received: HTTPFields,
        request: HTTPFields,
        responseTime: Date,
        delay: Int64
    ) {
        let directives = CacheDirectives(response: received)
        var fields = Storability.kept(received, directives)
        // A cache must add a missing date to a stored response: that of its arrival (RFC 9110 section 6.6.1).
        if !fields.contains(.date) { fields[.date] = HTTPDate(responseTime).description }
        let selecting = SelectingFields(vary: received, request: request)
        self.init(status, fields, directives, selecting, responseTime, delay)
    }

    private init(
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ directives: CacheDirectives,
        _ selecting: SelectingFields?,
        _ responseTime: Date,
        _ delay: Int64
    ) {
        self.status = status
        self.fields = fields
        self.directives = directives
        self.selecting = selecting ?? SelectingFields([])
        // A response that was confirmed, or read from a disk, has the selecting fields with which it was stored; `Vary`
        // may have changed.
        variesByAnything = selecting == nil || SelectingFields(vary: fields, request: [:]) == nil
        isPart = fields.contains(.contentRange)
        isCoded = fields.contains(.contentEncoding)
        entityTag = EntityTag.valid(in: fields)
        codings = CodingNames.of(fields)
        lastModified = fields.line(.lastModified)
        self.responseTime = responseTime
        self.delay = delay
        times = StoredTimes(
            status: status.code,
            fields: fields,
            directives: directives,
            arrival: responseTime,
            delay: delay
        )
    }

    /// The response after a newer one has confirmed it (RFC 9111 section 4.3.4).
    ///
    /// If it was stored for requests with other selecting fields than this one, it stays stored for those.
    func confirmed(by new: HTTPFields, request: HTTPFields, responseTime: Date, delay: Int64) -> CachedResponse {
        var given = new
        if given[.date] == nil { given[.date] = HTTPDate(responseTime).description }
        let updated = Storability.updated(fields, by: given)
        guard selecting.match(request) else {
            return CachedResponse(
                status: status,
                fields: Storability.kept(updated, CacheDirectives(response: updated)),
                selecting: selecting,
                responseTime: responseTime,
                delay: delay
            )
        }
        return CachedResponse(
            status: status,
            received: updated,
            request: request,
            responseTime: responseTime,
            delay: delay
        )
    }

    /// Whether the server can validate it.
    var hasValidator: Bool { entityTag != nil || lastModified != nil }

    /// The age after some seconds in the cache (RFC 9111 section 4.2.3).
    func age(after resident: Int64) -> Int64 { min(times.initialAge + max(0, resident), DeltaSeconds.most) }

    /// The time for which it is fresh, in seconds, for a cache with its own default.
    func lifetime(orElse own: Int64?) -> Int64 { times.isSilent ? own ?? 0 : times.lifetime }
}

extension HTTPFields {
    /// A field's value, like the subscript, without making a list if the field has one line, as usual.
    func line(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            if found != nil { return self[name] }
            found = field.value
        }
        return found
    }
}
