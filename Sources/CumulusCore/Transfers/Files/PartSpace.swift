// SPDX-License-Identifier: Apache-2.0

/// How much of a part file's wanted length has been taken on the disk: a step ahead of the bytes that have come.
///
/// A step doubles what there is, up to a limit, so that a server that announces terabytes and sends little costs little.
struct PartSpace: Sendable {
    static let firstStep: Int64 = 16 << 20
    static let longestStep: Int64 = 256 << 20
    /// What is left to others when space is taken ahead.
    static let leftFree: Int64 = 64 << 20

    private var wanted: Int64 = 0
    private var taken: Int64 = 0

    /// Notes a length that is wanted, of which so much is there.
    mutating func want(_ length: Int64, from size: Int64) {
        wanted = length
        taken = max(taken, size)
    }

    /// The range to take now, where a write comes to the edge of what is taken; `nil` if it doesn't.
    ///
    /// Writes far behind the edge, of another connection's segment, take their space as they arrive.
    mutating func next(for offset: Int64, count: Int) -> Range<Int64>? {
        let (end, overflows) = offset.addingReportingOverflow(Int64(count))
        guard !overflows, taken < wanted, offset <= taken, end >= taken else { return nil }
        let step = min(max(PartSpace.firstStep, taken), PartSpace.longestStep)
        let start = taken
        taken = min(wanted - start > step ? start + step : wanted, wanted)
        return start..<taken
    }
}
