// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response as a cache keeps it, without its body; it never changes, so it is shared by reference.
public final class CachedResponse: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The fields that may be kept (RFC 9111 section 3.1), always with a `Date`.
    public let fields: HTTPFields
    /// What it depends on in the request.
    public let selecting: SelectingFields
    /// When its head had arrived, or that of the last response that confirmed it.
    public let answered: Date
    /// How long the server took, in seconds.
    public let delay: Int64

    /// What its `Cache-Control` says.
    let directives: CacheDirectives
    /// Its age and lifetime.
    let times: StoredTimes
    /// The content codings that the bytes have, in lower case.
    let codings: [String]
    /// The entity tag, as it was sent: each byte as one scalar.
    let entityTag: String?
    /// When it was changed last, as it was sent.
    let lastModified: String?
    /// Whether the bytes are those of a content coding.
    let isCoded: Bool
    /// Whether it depends on everything (`Vary: *`).
    let variesByAnything: Bool
    /// Whether it may be a part only: some servers send the slice that was requested with status 200 (`Content-Range`).
    let isPart: Bool

    /// Makes a response from what was kept of it.
    public convenience init(
        status: HTTPResponse.Status,
        fields: HTTPFields,
        selecting: SelectingFields,
        answered: Date,
        delay: Int64
    ) {
        self.init(status, fields, CacheDirectives(response: fields), selecting, answered, delay)
    }

    /// Makes a response of one from the network.
    convenience init(
        status: HTTPResponse.Status,
        received: HTTPFields,
        request: HTTPFields,
        answered: Date,
        delay: Int64
    ) {
        let directives = CacheDirectives(response: received)
        var fields = Storability.kept(received, directives)
        // Whoever keeps a response without a date says when it came (RFC 9110 section 6.6.1).
        if !fields.contains(.date) { fields[.date] = HTTPDate(answered).description }
        let selecting = SelectingFields(vary: received, request: request)
        self.init(status, fields, directives, selecting, answered, delay)
    }

    private init(
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ directives: CacheDirectives,
        _ selecting: SelectingFields?,
        _ answered: Date,
        _ delay: Int64
    ) {
        self.status = status
        self.fields = fields
        self.directives = directives
        self.selecting = selecting ?? SelectingFields([])
        // A response that was confirmed, or read from a disk, has what it was stored for; `Vary` may have changed.
        variesByAnything = selecting == nil || SelectingFields(vary: fields, request: [:]) == nil
        isPart = fields.contains(.contentRange)
        isCoded = fields.contains(.contentEncoding)
        entityTag = EntityTag.valid(in: fields)
        codings = CodingNames.of(fields)
        lastModified = fields.line(.lastModified)
        self.answered = answered
        self.delay = delay
        times = StoredTimes(
            status: status.code,
            fields: fields,
            directives: directives,
            answered: answered,
            delay: delay
        )
    }

    /// The response after a newer one has confirmed it (RFC 9111 section 4.3.4).
    ///
    /// If it was stored for other requests than this one, which the server has confirmed it for, it stays theirs.
    func confirmed(by new: HTTPFields, request: HTTPFields, answered: Date, delay: Int64) -> CachedResponse {
        var given = new
        if given[.date] == nil { given[.date] = HTTPDate(answered).description }
        let updated = Storability.updated(fields, by: given)
        guard selecting.match(request) else {
            return CachedResponse(
                status: status,
                fields: Storability.kept(updated, CacheDirectives(response: updated)),
                selecting: selecting,
                answered: answered,
                delay: delay
            )
        }
        return CachedResponse(
            status: status,
            received: updated,
            request: request,
            answered: answered,
            delay: delay
        )
    }

    /// Whether the server can be asked if it is still right.
    var hasValidator: Bool { entityTag != nil || lastModified != nil }

    /// The age after some seconds here (RFC 9111 section 4.2.3).
    func age(after resident: Int64) -> Int64 { min(times.initialAge + max(0, resident), DeltaSeconds.most) }

    /// How long it is fresh, in seconds, for a cache with a default of its own.
    func lifetime(orElse own: Int64?) -> Int64 { times.isSilent ? own ?? 0 : times.lifetime }
}

extension HTTPFields {
    /// A field's value, as the subscript gives it, without making a list of the one line that there usually is.
    func line(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            if found != nil { return self[name] }
            found = field.value
        }
        return found
    }
}
