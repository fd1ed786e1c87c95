// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The facts in a response's head that distinguish one state of a remote file from another.
struct RemoteState: Sendable, Hashable, Codable {
    private static let longest = 1024

    /// The entity tag, if it is strong (RFC 9110 section 8.8.1).
    var entityTag: String?
    /// `Last-Modified`, if the file can't have changed again within the same second (RFC 9110 section 8.8.2.2), and has
    /// no weak entity tag.
    var lastModified: String?
    /// `Last-Modified` as received, safe or not: a different one means a different state.
    var date: String?
    /// The length of the whole file; `nil` if unknown.
    var length: Int64?
    /// The content codings of the bytes, as sent; `nil` without any.
    var codings: [String]?
    /// The user and the route for which the bytes were received, and the redirects' target; `nil` if unknown.
    var source: SourceRecord?

    init(entityTag: String? = nil, lastModified: String? = nil, length: Int64? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        date = lastModified
        self.length = length
    }

    /// The state in a successful response's head.
    ///
    /// - Parameters:
    ///   - headers: The head's fields.
    ///   - length: The length of its body.
    ///   - source: The source of its bytes.
    init(_ headers: HTTPFields, length: Int64?, from source: ResponseSource? = nil) {
        self.length = length
        self.source = source.map { SourceRecord($0) }
        codings = headers.isCoded ? headers.codings : nil
        let tag = headers.entityTag
        entityTag = tag.flatMap { RemoteState.isStrong($0) ? $0 : nil }
        // If a file has an entity tag, a date can't be the condition (RFC 9110 section 13.1.5).
        lastModified = tag == nil || entityTag != nil ? RemoteState.safeDate(headers) : nil
        date = headers[.lastModified].flatMap { $0.utf8.count <= RemoteState.longest ? $0 : nil }
    }

    /// The value of `If-Range` (RFC 9110 section 13.1.5); `nil` if the file has neither a strong tag nor a safe date.
    var condition: String? { entityTag ?? lastModified }

    /// The state in a later response's head.
    ///
    /// It takes over this one's length if both have the same revision, since a body delimited only by the end of its
    /// connection may be truncated.
    func followed(by later: RemoteState) -> RemoteState {
        var later = later
        if later.length == nil, let condition, later.condition?.utf8.elementsEqual(condition.utf8) == true {
            later.length = length
        }
        return later
    }

    /// Whether the head of a whole file has this state's revision with another length.
    ///
    /// One revision has one length, so the server has sent something else than the file.
    func contradicts(_ headers: HTTPFields, length: Int64?) -> Bool {
        guard let condition, let own = self.length, let length, own != length else { return false }
        if let entityTag { return headers.entityTag?.utf8.elementsEqual(entityTag.utf8) == true }
        return headers.entityTag == nil && headers[.lastModified]?.utf8.elementsEqual(condition.utf8) == true
    }

    /// The difference if another response's head has a different state; `nil` if it has the same.
    ///
    /// With `isStrict`, the head must contain evidence of the state: the strong tag, or the date if no tag was known. A
    /// different date is a change even if the tag matches; a missing date is not.
    func difference(_ headers: HTTPFields, total: Int64?, isStrict: Bool = true) -> String? {
        if let length, let total, length != total { return "the file had \(length) bytes, and now has \(total)" }
        let received = headers[.lastModified]
        if let date = date ?? lastModified, let received, !received.utf8.elementsEqual(date.utf8) {
            return "the file's date has changed"
        }
        if let entityTag {
            guard let now = headers.entityTag else { return isStrict ? "the file's entity tag is missing" : nil }
            return now.utf8.elementsEqual(entityTag.utf8) ? nil : "the file's entity tag has changed"
        }
        if lastModified != nil { return received == nil && isStrict ? "the file's date is missing" : nil }
        return isStrict ? "the response has neither an entity tag nor a date" : nil
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count > 2 && bytes.count <= longest && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || 0x23...0x7E ~= $0 || $0 >= 0x80 }
    }

    private static func safeDate(_ headers: HTTPFields) -> String? {
        guard let text = headers[.lastModified], text.utf8.count <= longest,
            let modified = HTTPDate(parsing: text), let now = headers[.date].flatMap({ HTTPDate(parsing: $0) }),
            now.secondsSince1970 - modified.secondsSince1970 >= 1
        else { return nil }
        return text
    }
}

extension HTTPFields {
    /// The entity tag, each byte as one scalar (ISO 8859-1); `nil` if it is missing.
    ///
    /// Servers may send bytes above 0x7F in it (RFC 9110 section 8.8.3), which need not be UTF-8.
    var entityTag: String? { self[fields: .eTag].first?.bytes.latin1 }

    /// Whether the content is coded.
    var isCoded: Bool { !codings.isEmpty }

    /// The content's codings, without `identity`.
    var codings: [String] {
        ContentCoding.names(in: self[values: .contentEncoding]).filter { !ContentCoding.isIdentity($0) }.map {
            $0.lowercased()
        }
    }
}
