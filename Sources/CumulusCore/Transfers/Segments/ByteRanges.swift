// SPDX-License-Identifier: Apache-2.0

/// A set of offsets in a file, stored as sorted ranges that neither overlap nor touch.
struct ByteRanges: Sendable, Equatable {
    private(set) var ranges: [Range<Int64>] = []
    /// The number of offsets in the set.
    private(set) var count: Int64 = 0

    init() {}

    init(_ ranges: [Range<Int64>]) { for range in ranges { insert(range) } }

    /// Adds a range; touching ranges are merged.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = firstIndex { $0.upperBound >= range.lowerBound }
        var last = first
        var merged = range
        while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
            merged =
                min(merged.lowerBound, ranges[last].lowerBound)..<max(merged.upperBound, ranges[last].upperBound)
            count -= ranges[last].length
            last += 1
        }
        count += merged.length
        // In the usual case, a growing range, nothing is moved.
        if last == first + 1 { ranges[first] = merged } else { ranges.replaceSubrange(first..<last, with: [merged]) }
    }

    /// Removes a range.
    mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = firstIndex { $0.upperBound > range.lowerBound }
        var last = first
        var left: [Range<Int64>] = []
        while last < ranges.count, ranges[last].lowerBound < range.upperBound {
            let old = ranges[last]
            if old.lowerBound < range.lowerBound { left.append(old.lowerBound..<range.lowerBound) }
            if old.upperBound > range.upperBound { left.append(range.upperBound..<old.upperBound) }
            count -= old.length
            last += 1
        }
        count += left.reduce(0) { $0 + $1.length }
        ranges.replaceSubrange(first..<last, with: left)
    }

    /// Whether all offsets of a range are in the set.
    func contains(_ range: Range<Int64>) -> Bool {
        let index = firstIndex { $0.upperBound > range.lowerBound }
        guard index < ranges.count else { return range.isEmpty }
        return range.isEmpty
            || (ranges[index].lowerBound <= range.lowerBound && ranges[index].upperBound >= range.upperBound)
    }

    /// The gaps between the ranges, within bounds.
    func gaps(in bounds: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position = bounds.lowerBound
        for range in ranges[firstIndex { $0.upperBound > bounds.lowerBound }...] {
            guard range.lowerBound < bounds.upperBound else { break }
            if position < range.lowerBound { gaps.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if position < bounds.upperBound { gaps.append(position..<bounds.upperBound) }
        return gaps
    }

    /// The end of the range that contains an offset; the offset itself if none does.
    func end(of position: Int64) -> Int64 {
        let index = firstIndex { $0.upperBound > position }
        guard index < ranges.count, ranges[index].lowerBound <= position else { return position }
        return ranges[index].upperBound
    }

    /// The index of the first range for which a predicate holds that holds for all after it.
    private func firstIndex(where isPast: (Range<Int64>) -> Bool) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if isPast(ranges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<Int64> {
    /// The number of offsets.
    var length: Int64 { upperBound - lowerBound }
}
