// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What tells one state of a remote file from another, as a head told it.
struct RemoteState: Sendable, Hashable, Codable {
    private static let longest = 1024

    /// The entity tag, if it is strong (RFC 9110 section 8.8.1).
    var entityTag: String?
    /// `Last-Modified`, if the file can't have changed again within the same second (RFC 9110 section 8.8.2.2).
    var lastModified: String?
    /// How long the whole file is; `nil` where that was not told.
    var length: Int64?

    init(entityTag: String? = nil, lastModified: String? = nil, length: Int64? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.length = length
    }

    /// What a successful answer's head tells; of a coded body nothing can be gone on with.
    init(_ headers: HTTPFields, length: Int64?) {
        self.length = length
        guard !headers.isCoded else { return }
        entityTag = headers[.eTag].flatMap { RemoteState.isStrong($0) ? $0 : nil }
        lastModified = RemoteState.safeDate(headers)
    }

    /// What `If-Range` may say (RFC 9110 section 13.1.5); `nil` where the file has nothing to be known by.
    var condition: String? { entityTag ?? lastModified }

    /// Why another answer's head is of another state; `nil` where it may be of the same.
    ///
    /// `strictly` is whether it must say so itself, since no `If-Range` did.
    func difference(_ headers: HTTPFields, total: Int64?, strictly: Bool) -> String? {
        if let length, let total, length != total { return "it had \(length) bytes and has \(total) now" }
        if let entityTag {
            guard let now = headers[.eTag] else { return strictly ? "its entity tag is not told" : nil }
            return now == entityTag ? nil : "its entity tag has changed"
        }
        if let lastModified {
            guard let now = headers[.lastModified] else { return strictly ? "its date is not told" : nil }
            return now == lastModified ? nil : "its date has changed"
        }
        return "it has nothing to be known by"
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.count <= longest && bytes.first == 0x22 && bytes.last == 0x22
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
    /// Whether a content coding was applied.
    var isCoded: Bool {
        self[values: .contentEncoding].contains { value in
            value.split(separator: ",").contains {
                let name = $0.filter { $0 != " " && $0 != "\t" }.lowercased()
                return !name.isEmpty && name != "identity"
            }
        }
    }
}
