// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The names of unfinished files, beside their destination: `.data.tar.<32 digits>.part`, and the same with endings for
/// the record and for drafts.
///
/// Nothing from outside makes such a name: a proposed one never begins with a dot (``FileName``), and a destination of
/// this form is refused. The digits are a digest of what identifies the download, so that two never share a file by
/// accident, and none can be aimed at another's.
enum PartFileName {
    /// What identifies a download to its unfinished file.
    enum Owner: Sendable, Hashable {
        /// The name of its destination: two downloads to one file exclude each other.
        case destination(String)
        /// The digest of its URL, as long as the response hasn't named the file.
        case place(String)

        fileprivate var text: String {
            switch self {
            case .destination(let name): "destination \(name)"
            case .place(let digest): "place \(digest)"
            }
        }
    }

    private static let digits = 32
    /// How much of the readable name is repeated, in bytes.
    private static let longest = 64
    private static let ending = ".part"
    /// The endings of the record, and of drafts of both.
    private static let others = [".new", ".json"]

    /// The name of a download's unfinished file.
    ///
    /// - Parameters:
    ///   - shown: A name for the reader.
    ///   - owner: What identifies the download.
    /// - Returns: A single path component.
    static func name(_ shown: String, of owner: Owner) -> String {
        var room = longest
        let base = shown.unicodeScalars.prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        let digest = Checksum(known: .sha256, MessageDigest.sha256(of: Array(owner.text.utf8))).hexadecimal
        return ".\(String(base)).\(digest.prefix(digits))\(ending)"
    }

    /// Whether a name has this form, in any case, since some file systems fold it.
    static func isReserved(_ name: String) -> Bool {
        var bytes = name.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }[...]
        for other in others where bytes.reversed().starts(with: other.utf8.reversed()) {
            bytes = bytes.dropLast(other.utf8.count)
        }
        guard bytes.first == UInt8(ascii: "."), bytes.reversed().starts(with: ending.utf8.reversed()) else {
            return false
        }
        let digest = bytes.dropLast(ending.utf8.count).suffix(digits)
        return digest.count == digits
            && digest.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
            && bytes.dropLast(ending.utf8.count + digits).last == UInt8(ascii: ".")
    }
}
