// SPDX-License-Identifier: Apache-2.0

// Arguments and texts from servers are split by bytes, never by characters: a combining mark or joiner after a
// delimiter would form one character with it, and hide it.

extension Substring.UTF8View {
    /// The bytes as a text.
    var text: String { String(Substring(self)) }
}

extension StringProtocol {
    /// Whether it contains an ASCII byte.
    func hasByte(_ byte: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: byte)) }
}

extension String {
    /// The text before and after the first occurrence of an ASCII byte; `nil` if there is none.
    func split(at byte: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = utf8.firstIndex(of: UInt8(ascii: byte)) else { return nil }
        return (String(self[..<place]), utf8[utf8.index(after: place)...].text)
    }

    /// The parts between occurrences of an ASCII byte, including empty ones.
    func parts(at byte: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: byte), omittingEmptySubsequences: false).map(\.text)
    }
}
