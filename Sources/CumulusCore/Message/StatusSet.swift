// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A set of status codes: ranges and single ones.
///
///     site.setRules { $0.acceptableStatuses = .successful.union([.notFound]) }
///     site.setRules { $0.acceptableStatuses = 200...299 }
public struct StatusSet: Sendable, Hashable {
    private var ranges: [Range<Int>]

    /// Makes a set of a range of codes.
    public init(_ codes: Range<Int>) { ranges = [codes] }

    /// Makes a set of a range of codes, including the last.
    public init(_ codes: ClosedRange<Int>) { ranges = [Range(codes)] }

    /// 200 to 299.
    public static let successful = StatusSet(200..<300)

    /// Whether a status is in the set; its reason phrase doesn't matter.
    public func contains(_ status: HTTPResponse.Status) -> Bool { ranges.contains { $0.contains(status.code) } }

    /// Whether a code is in the set.
    public func contains(_ code: Int) -> Bool { ranges.contains { $0.contains(code) } }

    /// The codes of both sets.
    public func union(_ other: StatusSet) -> StatusSet {
        var both = self
        both.ranges += other.ranges
        return both
    }
}

extension StatusSet: ExpressibleByArrayLiteral {
    /// Makes a set of the statuses of a literal.
    public init(arrayLiteral statuses: HTTPResponse.Status...) { ranges = statuses.map { $0.code..<$0.code + 1 } }
}

extension StatusSet: CustomStringConvertible {
    /// The codes: `200-299, 404`.
    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)" }
            .joined(separator: ", ")
    }
}

/// A range of status codes if the context expects a set; anywhere else `...` is Swift's own operator.
///
/// - Precondition: As for Swift's operator, the first is not above the last.
@_disfavoredOverload
public func ... (first: Int, last: Int) -> StatusSet { StatusSet(first...last as ClosedRange<Int>) }

/// A range of status codes without its upper bound, if the context expects a set.
@_disfavoredOverload
public func ..< (first: Int, end: Int) -> StatusSet { StatusSet(first..<end as Range<Int>) }
