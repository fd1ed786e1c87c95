// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The version of a representation: its entity tag and its date (RFC 9110 section 8.8).
public struct Revision: Sendable, Hashable {
    private static let longest = 1024

    /// The entity tag with all its bytes, which need not be UTF-8.
    private(set) var tag: FieldText?
    /// The entity tag as the server wrote it, with its quotes; a preceding `W/` means that it is weak.
    public var entityTag: String? { tag?.text }
    /// `Last-Modified` as the server wrote it.
    public private(set) var lastModified: String?

    /// `nil` if the fields have neither, or only values that are too long to remember.
    init?(_ fields: HTTPFields) {
        func short(_ value: String?) -> String? { value.flatMap { $0.utf8.count <= Revision.longest ? $0 : nil } }
        tag = fields.texts(.eTag).first.flatMap { $0.bytes.count <= Revision.longest ? $0 : nil }
        lastModified = short(fields[.lastModified])
        if tag == nil, lastModified == nil { return nil }
    }

    /// Takes the values that a newer revision has; the others stay.
    mutating func update(_ newer: Revision) {
        tag = newer.tag ?? tag
        lastModified = newer.lastModified ?? lastModified
    }

    /// The tag, unless it is weak: a weak tag can't guard a change (RFC 9110 section 13.1.1).
    var strongTag: FieldText? { tag.flatMap { $0.bytes.starts(with: "W/".utf8) ? nil : $0 } }
}

extension Response {
    /// The version of the representation; `nil` if the server sent neither a tag nor a date.
    public var revision: Revision? { Revision(headers) }
}
