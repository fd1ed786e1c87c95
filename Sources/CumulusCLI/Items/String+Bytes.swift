// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

// Arguments and texts from servers are split by bytes, never by characters: a combining mark or joiner after a
// delimiter would form one character with it, and hide it.

extension Substring.UTF8View {
    /// The bytes as a text.
    var text: String { String(Substring(self)) }
}

extension String {
    /// The text before and after the first occurrence of an ASCII byte; `nil` if there is none.
    func split(at byte: Unicode.Scalar) -> (before: String, behind: String)? {
        cut(at: byte).map { (String($0.before), String($0.behind)) }
    }

    /// The parts between occurrences of an ASCII byte, including empty ones.
    func parts(at byte: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: byte), omittingEmptySubsequences: false).map(\.text)
    }
}
