// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file that exist, are being fetched, or are missing; assigns the next segments.
///
/// Bytes exist once they are written: ``take(_:of:)`` returns where received bytes belong, ``commit(_:to:)`` records
/// that they were written there. Segments never overlap, and a segment that was shortened ends where its neighbor
/// begins.
struct SegmentMap: Sendable {
    /// A range of the file that one connection fetches.
    struct Segment: Sendable, Equatable {
        let id: Int
        let start: Int64
        /// The end of the written bytes.
        fileprivate(set) var written: Int64
        /// The first byte that has not been received.
        fileprivate(set) var next: Int64
        /// Its end, the neighbor's first byte.
        fileprivate(set) var end: Int64

        /// The bytes that have not been received.
        var remaining: Range<Int64> { next..<end }
    }

    /// The file's length in bytes.
    let length: Int64
    /// The written bytes.
    private(set) var done: ByteRanges
    /// The segments that are being fetched, in the order of their start.
    private(set) var segments: [Segment] = []
    private var latest = 0

    /// Starts with the existing bytes; those outside the file are ignored.
    init(length: Int64, done: ByteRanges = ByteRanges()) {
        self.length = max(0, length)
        self.done = done
        self.done.remove(Int64.min..<0)
        self.done.remove(self.length..<Int64.max)
    }

    /// Whether every byte has been written.
    var isComplete: Bool { done.count == length }

    /// The length of the written bytes from the start without a gap.
    var prefix: Int64 { done.end(of: 0) }

    /// The bytes that are neither written nor being fetched.
    var missing: [Range<Int64>] {
        var covered = done
        for segment in segments { covered.insert(segment.written..<segment.end) }
        return covered.gaps(in: 0..<length)
    }

    subscript(id: Int) -> Segment? { segments.first { $0.id == id } }

    /// Assigns a connection that begins at an offset its share of the gap there.
    ///
    /// - Returns: The segment, or `nil` if nothing is missing at the offset.
    mutating func claim(at position: Int64, idle: Int = 1, minimum: Int64) -> Segment? {
        guard let gap = missing.first(where: { $0.contains(position) }) else { return nil }
        return begin(share(of: position..<gap.upperBound, idle, minimum))
    }

    /// Assigns one connection its share of the largest gap.
    ///
    /// - Parameters:
    ///   - idle: How many connections share the gap, including this one.
    ///   - minimum: The smallest segment to split off; the remaining gap is never smaller.
    /// - Returns: The segment, or `nil` if there is no gap.
    mutating func claim(idle: Int = 1, minimum: Int64) -> Segment? {
        guard let gap = missing.max(by: { $0.length < $1.length }) else { return nil }
        return begin(share(of: gap, idle, minimum))
    }

    /// Assigns the end of a segment, or all bytes that it has not received, to another connection.
    ///
    /// - Parameters:
    ///   - id: The segment.
    ///   - count: The number of its remaining bytes to reassign.
    /// - Returns: The new segment, or `nil` if the segment has no remaining bytes.
    mutating func split(_ id: Int, giving count: Int64) -> Segment? {
        guard let index = index(id) else { return nil }
        let end = segments[index].end
        let start = max(segments[index].next, end - max(0, count))
        guard start < end else { return nil }
        segments[index].end = start
        if segments[index].written == start { segments.remove(at: index) }
        return begin(start..<end)
    }

    /// The range where received bytes belong; shorter than the received bytes, or empty, if it reaches the neighbor.
    mutating func take(_ count: Int, of id: Int) -> Range<Int64> {
        guard let index = index(id) else { return 0..<0 }
        let start = segments[index].next
        let end = start + min(segments[index].remaining.length, Int64(max(0, count)))
        segments[index].next = end
        return start..<end
    }

    /// Notes that a segment has been written up to an offset; a completely written one ends.
    ///
    /// - Returns: The number of bytes that did not exist before.
    @discardableResult
    mutating func commit(_ id: Int, to position: Int64) -> Int64 {
        guard let index = index(id) else { return 0 }
        let position = min(position, segments[index].next)
        guard position > segments[index].written else { return 0 }
        let before = done.count
        done.insert(segments[index].written..<position)
        segments[index].written = position
        if position == segments[index].end { segments.remove(at: index) }
        return done.count - before
    }

    /// Ends a segment: its written bytes stay, and its other bytes are missing again.
    ///
    /// A segment without any bytes returns to the neighbor that it was split from, if that is still running.
    mutating func release(_ id: Int) {
        guard let index = index(id) else { return }
        let segment = segments.remove(at: index)
        guard segment.written == segment.start,
            let neighbor = segments.firstIndex(where: { $0.end == segment.start })
        else { return }
        segments[neighbor].end = segment.end
    }

    /// Ends a segment whose bytes can't be trusted: all of it is missing again.
    mutating func revoke(_ id: Int) {
        guard let index = index(id) else { return }
        done.remove(segments[index].start..<segments[index].written)
        segments[index].written = segments[index].start
        release(id)
    }

    /// Extends a segment over its neighbor, which ends, if no byte of the neighbor has been received.
    ///
    /// - Returns: The neighbor's identifier; `nil` if it has no neighbor, or one with bytes.
    mutating func absorbNeighbor(of id: Int) -> Int? {
        guard let end = self[id]?.end,
            let neighbor = segments.first(where: { $0.start == end && $0.next == $0.start })
        else { return nil }
        segments.removeAll { $0.id == neighbor.id }
        if let index = index(id) { segments[index].end = neighbor.end }
        return neighbor.id
    }

    /// Extends a segment to the file's end, through the segments of others, which end.
    mutating func extend(_ id: Int) {
        guard let index = index(id) else { return }
        var only = segments[index]
        only.end = length
        segments = [only]
    }

    private func share(of gap: Range<Int64>, _ idle: Int, _ minimum: Int64) -> Range<Int64> {
        let share = max(1, minimum, (gap.length - 1) / Int64(max(1, idle)) + 1)
        return gap.lowerBound..<(gap.length - share < minimum ? gap.upperBound : gap.lowerBound + share)
    }

    private func index(_ id: Int) -> Int? { segments.firstIndex { $0.id == id } }

    private mutating func begin(_ range: Range<Int64>) -> Segment {
        latest += 1
        let segment = Segment(
            id: latest,
            start: range.lowerBound,
            written: range.lowerBound,
            next: range.lowerBound,
            end: range.upperBound
        )
        segments.append(segment)
        return segment
    }
}
