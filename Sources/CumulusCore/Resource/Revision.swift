// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The version of a representation: its entity tag and its date (RFC 9110 section 8.8).
public struct Revision: Sendable, Hashable {
    private static let longest = 1024

    /// The entity tag as the server wrote it, with its quotes; `W/` before it means weak.
    public private(set) var entityTag: String?
    /// `Last-Modified` as the server wrote it.
    public private(set) var lastModified: String?

    /// `nil` if the fields have neither, or only values that are too long to remember.
    init?(_ fields: HTTPFields) {
        func short(_ value: String?) -> String? { value.flatMap { $0.utf8.count <= Revision.longest ? $0 : nil } }
        entityTag = short(fields[.eTag])
        lastModified = short(fields[.lastModified])
        if entityTag == nil, lastModified == nil { return nil }
    }

    /// Takes the values that a newer revision has; the others stay.
    mutating func update(_ newer: Revision) {
        entityTag = newer.entityTag ?? entityTag
        lastModified = newer.lastModified ?? lastModified
    }

    /// The tag, unless it is weak: a weak tag can't guard a change (RFC 9110 section 13.1.1).
    var strongTag: String? { entityTag.flatMap { $0.begins(with: "W/") ? nil : $0 } }
}

extension Response {
    /// The version of the representation; `nil` if the server sent neither tag nor date.
    public var revision: Revision? { Revision(headers) }
}
