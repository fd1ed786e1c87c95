// SPDX-License-Identifier: Apache-2.0

/// The file of a download over several connections.
extension DownloadOutput {
    /// Has several connections write the file, and reports their bytes to the plan, including those before an error.
    ///
    /// - Returns: The reason why the bytes, or the server's ranges, can't be trusted; `nil` if all bytes exist.
    mutating func receive(
        _ unread: RangeFetch.UnreadResponse,
        _ terms: SegmentedFetch.Terms,
        by source: RangeFetch,
        for plan: inout DownloadPlan
    ) async throws -> RangeMismatch? {
        guard let file, let length = plan.length else { return nil }
        var terms = terms
        terms.latency = unread.latency
        let (counter, journal, state) = (counter, options.keeps ? journal : nil, plan.record(of: place))
        let segmented = SegmentedFetch(
            source,
            terms,
            into: file.part,
            map: SegmentMap(length: length, done: plan.done),
            digest: writer?.digest ?? RunningDigest([])
        ) { count, done in
            counter?.count(count)
            journal?.note {
                var record = state
                record.done = DownloadRecord.places(done())
                return record
            }
        }
        let start = plan.position
        defer {
            plan.advance(to: segmented.done)
            writer = DownloadOutput.writer(after: segmented, into: file, for: plan)
        }
        return try await segmented.run(unread, from: start)
    }

    /// The writer for further bytes; `nil` if the digest doesn't cover all bytes so far, and more bytes are missing.
    private static func writer(
        after segmented: SegmentedFetch,
        into file: DownloadFile,
        for plan: DownloadPlan
    ) -> DownloadWriter? {
        let position = plan.position
        guard let digest = segmented.digest,
            digest.isEmpty || digest.count == position || position == plan.length
        else { return nil }
        return DownloadWriter(
            file.part,
            base: plan.base,
            end: plan.end,
            position: position,
            kept: 0,
            digest: digest
        )
    }
}

extension DownloadRecord {
    private static let most = 4096

    /// The ranges for a record; only the longest ones if there are too many.
    static func places(_ ranges: ByteRanges) -> [Done] {
        var kept = ranges.ranges
        if kept.count > most {
            kept.sort { $0.length > $1.length }
            kept.removeSubrange(most...)
            kept.sort { $0.lowerBound < $1.lowerBound }
        }
        return kept.map { Done(start: $0.lowerBound, end: $0.upperBound) }
    }

    /// The existing bytes.
    var ranges: ByteRanges { ByteRanges(done.map { $0.start..<$0.end }) }
}
