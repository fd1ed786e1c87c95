// SPDX-License-Identifier: Apache-2.0

/// How much of a part file's wanted length is allocated on the disk, one step ahead of the received bytes.
///
/// A step doubles the existing size, up to a limit, so that a server that announces terabytes and sends little costs
/// little.
struct PartSpace: Sendable {
    static let firstStep: Int64 = 16 << 20
    static let longestStep: Int64 = 256 << 20
    /// The free space that is left to others.
    static let leftFree: Int64 = 64 << 20

    private var wanted: Int64 = 0
    private var taken: Int64 = 0

    /// Notes a wanted length, and how much of it exists.
    mutating func want(_ length: Int64, from size: Int64) {
        wanted = length
        taken = max(taken, size)
    }

    /// The range to allocate now, if a write reaches the end of the allocated space; `nil` if it doesn't.
    ///
    /// Writes far beyond that end, from another connection's segment, allocate their space as they arrive.
    mutating func next(for offset: Int64, count: Int) -> Range<Int64>? {
        let (end, overflows) = offset.addingReportingOverflow(Int64(count))
        guard !overflows, taken < wanted, offset <= taken, end >= taken else { return nil }
        let step = min(max(PartSpace.firstStep, taken), PartSpace.longestStep)
        let start = taken
        taken = min(wanted - start > step ? start + step : wanted, wanted)
        return start..<taken
    }
}
