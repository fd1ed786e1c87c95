// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A set of status codes: ranges and single codes.
///
///     site.setRules { $0.acceptableStatuses = .successful.union([.notFound]) }
///     site.setRules { $0.acceptableStatuses = .range(200...299) }
public struct StatusSet: Sendable, Hashable {
    /// In ascending order, neither empty nor adjacent, so that equal sets have equal ranges.
    private let ranges: [Range<Int>]

    /// Creates a set from a range of codes.
    public init(_ codes: Range<Int>) { self.init(joining: [codes]) }

    /// Creates a set from a range of codes, including the last.
    public init(_ codes: ClosedRange<Int>) {
        self.init(codes.lowerBound..<(codes.upperBound == .max ? .max : codes.upperBound + 1))
    }

    private init(joining parts: [Range<Int>]) {
        var ranges: [Range<Int>] = []
        for part in parts.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, part.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
            } else {
                ranges.append(part)
            }
        }
        self.ranges = ranges
    }

    /// 200 to 299.
    public static let successful = StatusSet(200..<300)

    /// Returns the set of a range of codes, including the last: `.range(200...299)`.
    public static func range(_ codes: ClosedRange<Int>) -> StatusSet { StatusSet(codes) }

    /// Returns the set of a range of codes: `.range(200..<300)`.
    public static func range(_ codes: Range<Int>) -> StatusSet { StatusSet(codes) }

    /// Whether a status is in the set; its reason phrase doesn't matter.
    public func contains(_ status: HTTPResponse.Status) -> Bool { ranges.contains { $0.contains(status.code) } }

    /// Whether a code is in the set.
    public func contains(_ code: Int) -> Bool { ranges.contains { $0.contains(code) } }

    /// Adds a status.
    public mutating func insert(_ status: HTTPResponse.Status) { self = union([status]) }

    /// Returns a set with the codes of both sets.
    public func union(_ other: StatusSet) -> StatusSet {
        StatusSet(joining: ranges + other.ranges)
    }
}

extension StatusSet: ExpressibleByArrayLiteral {
    /// Creates a set from the statuses of a literal.
    public init(arrayLiteral statuses: HTTPResponse.Status...) {
        self.init(joining: statuses.map { $0.code..<$0.code + 1 })
    }
}

extension StatusSet: CustomStringConvertible {
    /// The codes in ascending order: `200-299, 404`.
    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)" }
            .joined(separator: ", ")
    }
}
