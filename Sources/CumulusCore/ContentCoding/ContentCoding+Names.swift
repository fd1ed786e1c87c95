// SPDX-License-Identifier: Apache-2.0

extension ContentCoding {
    /// Whether a lowercase name means no coding; `none` is not registered, but some servers send it.
    ///
    /// `aws-chunked` frames an upload to an object store, which removes it and may keep the name with the object.
    static func isIdentity(_ name: String) -> Bool { ["identity", "none", "aws-chunked"].contains(name) }

    /// The elements of a list field, in lower case; empty elements are ignored (RFC 9110 section 5.6.1).
    static func names(in values: [String]) -> [String] {
        values.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.compactMap { element in
            let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
            let trimmed = element.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
            return trimmed.isEmpty ? nil : String(decoding: Array(trimmed), as: UTF8.self).lowercased()
        }
    }
}

extension [ContentCoding] {
    /// The `Accept-Encoding` for the available codings, in order of preference; `nil` if there is none.
    var accepted: String? {
        if self == ContentCoding.standard { return "gzip, deflate" }
        let names = filter(\.isAvailable).map(\.name)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
