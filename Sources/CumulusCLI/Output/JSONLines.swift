// SPDX-License-Identifier: Apache-2.0

/// The lines of a body that arrives piece by piece; empty ones are left out.
struct JSONLines {
    /// A line, and its number from 1.
    typealias Line = (number: Int, bytes: [UInt8])

    private var held: [UInt8] = []
    private var number = 1

    /// The length of the incomplete line at the end.
    var heldCount: Int { held.count }

    /// The lines that end in the next piece.
    mutating func take(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            held += rest[..<end]
            if let line = last() { lines.append(line) }
            number += 1
            rest = rest[(end + 1)...]
        }
        held += rest
        return lines
    }

    /// The incomplete line at the end; `nil` if it is empty.
    mutating func last() -> Line? {
        // RFC 7464 begins each with a separator.
        let line = Array(held.drop { $0 == 0x1E })
        held = []
        return line.allSatisfy { $0 <= 0x20 } ? nil : (number, line)
    }
}
