// SPDX-License-Identifier: Apache-2.0

extension ContentCoding {
    /// What is asked for.
    static let accepted = "gzip, deflate"

    /// The elements of a list field, in lower case; empty ones are nothing (RFC 9110 section 5.6.1).
    static func names(in values: [String]) -> [String] {
        values.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.compactMap { element in
            let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
            let trimmed = element.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
            return trimmed.isEmpty ? nil : String(decoding: Array(trimmed), as: UTF8.self).lowercased()
        }
    }
}
