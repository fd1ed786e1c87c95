// SPDX-License-Identifier: Apache-2.0

// Arguments and what servers send are taken apart by bytes, never by characters: a mark or joiner behind a delimiter
// would make one character of both, and hide it.

extension Substring.UTF8View {
    /// The bytes as a text.
    var text: String { String(Substring(self)) }
}

extension StringProtocol {
    /// Whether a byte of ASCII stands anywhere in it.
    func hasByte(_ byte: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: byte)) }
}

extension String {
    /// What stands before and behind the first of a byte of ASCII; `nil` if there is none.
    func split(at byte: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = utf8.firstIndex(of: UInt8(ascii: byte)) else { return nil }
        return (String(self[..<place]), utf8[utf8.index(after: place)...].text)
    }

    /// Its parts between a byte of ASCII, empty ones too.
    func parts(at byte: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: byte), omittingEmptySubsequences: false).map(\.text)
    }
}
