// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fields of a request that a cache needs, found in one pass, since each hit needs all of them.
struct RequestTraits: Sendable, Hashable {
    /// Whether it has cache directives.
    var hasDirectives = false
    /// Whether the caller has set conditions.
    var hasConditions = false
    /// Whether only the server can evaluate the conditions.
    var needsServer = false
    /// Whether it requests a part.
    var wantsPart = false

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name.canonicalName {
            case "cache-control", "pragma": hasDirectives = true
            case "range": wantsPart = true
            case "if-none-match", "if-modified-since", "if-range": hasConditions = true
            case "if-match", "if-unmodified-since": (hasConditions, needsServer) = (true, true)
            default: break
            }
        }
    }
}

/// Conditions of requests: the caller's, which a cache evaluates, and the cache's own (RFC 9110 section 13, RFC 9111
/// section 4.3).
enum Preconditions {
    /// Whether the caller already has this response, so that it receives a 304 (RFC 9111 section 4.3.2).
    static func areFalse(_ request: HTTPFields, for response: CachedResponse) -> Bool {
        guard response.status.kind == .successful else { return false }
        let tags = EntityTag.lines(.ifNoneMatch, in: request)
        if !tags.isEmpty {
            return tags.contains { line in
                if line.trimmed == "*" { return true }
                guard let own = response.entityTag else { return false }
                return SelectingFields.members(of: line).contains { EntityTag.matchWeakly($0, own) }
            }
        }
        guard let text = request[.ifModifiedSince], let since = HTTPDate(parsing: text, now: response.responseTime)
        else {
            return false
        }
        let changed = response.lastModified.flatMap { HTTPDate(parsing: $0, now: response.responseTime) }
        return changed?.secondsSince1970 ?? response.times.date <= since.secondsSince1970
    }

    /// The fields of a 304 that a cache makes (RFC 9110 section 15.4.5).
    static func notModified(_ response: CachedResponse) -> HTTPFields {
        HTTPFields(response.fields.filter { notModifiedNames.contains($0.name) })
    }

    private static let notModifiedNames: Set<HTTPField.Name> = [
        .cacheControl, .contentLocation, .date, .eTag, .expires, .lastModified, .vary,
    ]

    /// Adds the conditions with which the server validates a stored response (section 4.3.1).
    ///
    /// Only its own tag is sent, not those of other variants. Some servers omit the tag from a 304, which could then
    /// confirm any variant.
    static func add(to request: inout HTTPFields, for chosen: CachedResponse) {
        if let tag = chosen.entityTag { request[fields: .ifNoneMatch] = [EntityTag.field(.ifNoneMatch, tag)] }
        if let date = chosen.lastModified { request[.ifModifiedSince] = date }
    }

    /// The stored response that a 304 confirms (section 4.3.4); `nil` if it confirms none of them.
    static func confirmed(by fields: HTTPFields, among stored: [CachedResponse], validated chosen: CachedResponse?)
        -> CachedResponse?
    {
        if let tag = EntityTag.valid(in: fields) {
            if let chosen, let own = chosen.entityTag, EntityTag.matchWeakly(own, tag) { return chosen }
            return stored.filter { $0.entityTag.map { EntityTag.matchWeakly($0, tag) } ?? false }
                .max { $0.times.made < $1.times.made }
        }
        if let text = fields[.lastModified], let changed = HTTPDate(parsing: text), let chosen,
            let own = chosen.lastModified.flatMap({ HTTPDate(parsing: $0) })
        {
            return changed == own ? chosen : nil
        }
        return chosen
    }

    /// Whether the response to a HEAD, with status 200, describes a stored response (section 4.3.5).
    static func head(_ fields: HTTPFields, speaksOf stored: CachedResponse, length: Int64?) -> Bool {
        let tags = EntityTag.lines(.eTag, in: fields)
        if !tags.isEmpty, tags != EntityTag.lines(.eTag, in: stored.fields) { return false }
        if let date = fields[.lastModified], date != stored.lastModified { return false }
        guard let said = fields[.contentLength], let length else { return true }
        return DeltaSeconds.read(said) == min(length, DeltaSeconds.most)
    }
}
