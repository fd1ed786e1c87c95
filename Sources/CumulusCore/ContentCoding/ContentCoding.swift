// SPDX-License-Identifier: Apache-2.0

/// A content coding that can be undone.
enum ContentCoding: Sendable {
    /// RFC 1952, one member or several.
    case gzip
    /// RFC 1950 as RFC 9110 has it, or RFC 1951 without a frame as some servers send it.
    case deflate

    /// Whether a name in lower case means that nothing was coded; `none` is no registered name, and servers send it.
    static func isIdentity(_ name: String) -> Bool { name == "identity" || name == "none" }

    /// The coding of a name in lower case; `nil` for an unknown one.
    init?(name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }
}
