// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The part of a representation that a body contains: a `Content-Range` field (RFC 9110 section 14.4).
public struct ContentRange: Sendable, Hashable {
    /// The unit, in lower case: `bytes`.
    public let unit: String
    /// The first and last positions, inclusive; `nil` if the requested range is not available (416).
    public let range: ClosedRange<Int64>?
    /// The whole representation's length; `nil` if it is not known.
    public let total: Int64?

    /// Creates a range of bytes.
    public init(_ range: ClosedRange<Int64>?, of total: Int64?) {
        unit = "bytes"
        self.range = range
        self.total = total
    }

    /// Creates a range from a field's value: `bytes 0-499/1234`, `bytes 0-499/*`, `bytes */1234`; `nil` if it is
    /// invalid.
    ///
    /// A range that ends before it begins, or beyond the total, is invalid.
    public init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        let halves = parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
        guard halves.count == 2 else { return nil }
        let total = ContentRange.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        unit = Substring(parts[0]).lowercased()
        self.total = total
        if halves[0] == "*" {
            guard total != nil else { return nil }
            range = nil
            return
        }
        let ends = halves[0].utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(
            Substring.init
        )
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last, last < total ?? .max
        else { return nil }
        range = first...last
    }

    /// The number of bytes in the range; `nil` if there is no range, or if the length overflows.
    public var length: Int64? {
        guard let range else { return nil }
        let (distance, isTooLong) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        let (length, isTooLongByOne) = distance.addingReportingOverflow(1)
        return isTooLong || isTooLongByOne ? nil : length
    }

    /// A number of digits only; `nil` for a sign, or if it is too large.
    static func number(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
    }
}

extension HTTPFields {
    /// Whether `Content-Range` makes a successful response a part of its representation, or leaves that open.
    ///
    /// Some servers add the field to whole responses: `bytes 0-99/100` for a body of 100 bytes is not a part.
    ///
    /// - Parameter length: The body's length; `nil` if it is not known.
    /// - Returns: Whether it does.
    func isPart(length: Int64?) -> Bool {
        guard contains(.contentRange) else { return false }
        let lines = self[values: .contentRange]
        guard lines.count == 1, let range = ContentRange(parsing: lines[0]), range.unit == "bytes",
            let bytes = range.range, let total = range.total
        else { return true }
        return bytes.lowerBound != 0 || range.length != total || length.map { $0 != total } ?? false
    }
}

extension ContentRange: CustomStringConvertible {
    /// The field's value.
    public var description: String {
        let shown = range.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        return "\(unit) \(shown)/\(total.map { "\($0)" } ?? "*")"
    }
}
