// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Decides whether a response to a GET may be stored by a private cache, and which fields of it (RFC 9111 section 3).
enum Storability {
    /// Whether the response may be stored, and whether storing it is useful.
    ///
    /// A response without any freshness information is stored as well: a call may accept stale responses, and a cache
    /// may have its own lifetime for them.
    static func allows(_ response: CachedResponse, request: CacheDirectives) -> Bool {
        let (status, own) = (response.status.code, response.directives)
        guard status >= 200, !CacheableStatus.isOfOneRequest(status), !request.noStore, !response.variesByAnything,
            !response.isPart, !isEndless(response.fields)
        else { return false }
        if own.mustUnderstand {
            // A cache that understands the status may ignore `no-store` (section 5.2.2.3).
            guard CacheableStatus.isUnderstood(status) else { return false }
        } else if own.noStore {
            return false
        }
        let isAllowed =
            own.isPublic || own.isPrivate || own.maxAge != nil || response.fields.contains(.expires)
            || CacheableStatus.isHeuristic(status)
        return isAllowed && (!isSilent(response) || response.times.isSilent)
    }

    /// Whether a response contains nothing that allows using it again.
    ///
    /// Only a call that accepts stale responses, or the cache's own lifetime, could do so.
    static func isSilent(_ response: CachedResponse) -> Bool {
        let own = response.directives
        return response.times.lifetime == 0 && !response.hasValidator && own.staleWhileRevalidate == nil
            && own.staleIfError == nil && own.maxAge == nil && !response.fields.contains(.expires)
    }

    /// Whether the body is a stream of events, which no second caller needs.
    private static func isEndless(_ fields: HTTPFields) -> Bool {
        guard let type = fields.line(.contentType)?.before(";").trimmed else { return false }
        return type.utf8.count == events.utf8.count && type.lowercased() == events
    }

    private static let events = "text/event-stream"

    /// The fields that are stored (section 3.1).
    ///
    /// Fields of the connection and of a proxy are omitted, and so are cookies, which belong to the caller of this
    /// exchange only.
    static func kept(_ fields: HTTPFields, _ directives: CacheDirectives) -> HTTPFields {
        if directives.noCacheFields.isEmpty, !fields.contains(.connection) { return fields.without(ownNames) }
        var names = ownNames
        for line in fields[values: .connection] {
            for name in line.parts(at: ",") { names.insert(name.trimmed.lowercased()) }
        }
        // Without validation, these fields must not be used (section 5.2.2.4), so they are not stored.
        names.formUnion(directives.noCacheFields)
        names.subtract(neededNames)
        return fields.without(names)
    }

    /// The fields that determine whether the response may be used, and how its bytes are coded.
    ///
    /// Without them, more uses would be allowed.
    private static let neededNames: Set<String> = [
        "age", "cache-control", "content-encoding", "date", "etag", "expires", "vary",
    ]

    /// The names of fields that concern one exchange only.
    private static let ownNames: Set<String> = [
        "set-cookie", "set-cookie2",
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "trailer",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// The fields of a stored response after a 304 or the response to a HEAD (section 3.2): the new ones, except those
    /// that describe the stored bytes.
    static func updated(_ stored: HTTPFields, by new: HTTPFields) -> HTTPFields {
        let given = kept(new, CacheDirectives()).filter { !bodyNames.contains($0.name.canonicalName) }
        var names = Set(given.map(\.name.canonicalName))
        // The age of the old response doesn't apply to the new one.
        names.insert("age")
        return HTTPFields(stored.filter { !names.contains($0.name.canonicalName) } + given)
    }

    private static let bodyNames: Set<String> = ["content-length", "content-encoding", "content-range"]
}

extension HTTPFields {
    fileprivate func without(_ names: Set<String>) -> HTTPFields {
        guard contains(where: { names.contains($0.name.canonicalName) }) else { return self }
        return HTTPFields(filter { !names.contains($0.name.canonicalName) })
    }
}
