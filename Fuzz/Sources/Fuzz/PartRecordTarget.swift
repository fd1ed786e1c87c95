// SPDX-License-Identifier: Apache-2.0

@testable import CumulusCore

/// A record of a broken download that is trusted holds together, whatever it says.
enum PartRecordTarget: FuzzTarget {
    static let name = "part-records"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let record = DownloadRecord(parsing: Array(input)) else { return }
        let first = record.wanted?.start ?? 0
        let last = min(record.wanted?.end ?? .max, record.remote.length ?? .max)
        let ranges = record.ranges
        expect(first >= 0 && last >= 0, "it is about bytes before the first")
        expect(ranges.ranges.allSatisfy { $0.lowerBound >= 0 && $0.lowerBound < $0.upperBound }, "a range is empty")
        expect(ranges.ranges.last?.upperBound ?? 0 <= max(0, last - first), "it has more bytes than there are")
        var map = SegmentMap(length: last - first, done: ranges)
        _ = (map.isComplete, map.prefix, record.prefix, record.remote.condition)
        while let segment = map.claim(idle: 2, minimum: 1 << 40) {
            map.commit(segment.id, to: map.take(.max, of: segment.id).upperBound)
        }
        let again = (try? JSON(encoding: record).encoded()).flatMap { DownloadRecord(parsing: $0) }
        expect(again == record, "written and read, it is another record")
    }
}
