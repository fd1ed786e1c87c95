// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Download {
    /// How an answer's file is to be fetched over several connections; `nil` where one stream does as well.
    func segments(_ answer: RangeFetch.Answer, isPart: Bool) -> SegmentedFetch.Terms? {
        guard usesRanges, let end, remote.condition != nil, isPart || base == 0 else { return nil }
        let terms = SegmentedFetch.Terms(
            connections: options.connections.map { max(1, $0) },
            perOrigin: max(1, settings.maxConcurrentChunks),
            chunkSize: max(1, settings.chunkSize),
            base: base,
            remote: remote,
            isCovered: options.checksum != nil,
            isConditional: isConditional
        )
        // What an earlier download left in pieces is filled up, if by one connection after the other.
        if pieces.count > position { return terms }
        let units = answer.head.headers[values: .acceptRanges].joined(separator: ",").lowercased()
        let most = mirrors.isEmpty ? terms.connections ?? terms.perOrigin : 2
        let isWorthIt = most > 1 && (end - base - position) / 2 >= terms.chunkSize
        return isWorthIt && (isPart || units.has("bytes")) ? terms : nil
    }

    /// Fetches all that is missing, the body of an answer among it.
    ///
    /// - Returns: Whether all is there now; otherwise the whole has to be asked for.
    mutating func receiveSegments(_ answer: RangeFetch.Answer, _ terms: SegmentedFetch.Terms) async throws -> Bool {
        guard let file, let end else { return false }
        let (counter, journal, state) = (counter, options.keeps ? journal : nil, record)
        pieces.insert(0..<position)
        let segmented = SegmentedFetch(
            [fetch] + mirrors,
            terms,
            into: file.part,
            map: SegmentMap(length: end - base, done: pieces),
            digest: writer?.digest ?? RunningDigest([])
        ) { count, done in
            counter?.count(count)
            journal?.note {
                var record = state
                record.done = DownloadRecord.places(done())
                return record
            }
        }
        let base = base
        func note(_ download: inout Download) {
            download.pieces = segmented.done
            download.position = download.pieces.end(of: 0)
            // A digest that has fallen behind is of use only where nothing more comes.
            let position = download.position
            download.writer = segmented.digest.flatMap { digest in
                guard digest.isEmpty || digest.count == position || position == end - base else { return nil }
                return DownloadWriter(file.part, base: base, end: end, position: position, kept: 0, digest: digest)
            }
        }
        defer { note(&self) }
        do {
            try await segmented.run(answer, from: position)
        } catch let misfit as RangeFetch.Misfit {
            if misfit.isChange { throw misfit }
            return false
        } catch let failure as FileProblem {
            throw named(failure)
        }
        return true
    }
}

extension DownloadRecord {
    private static let most = 4096

    /// Ranges as a record has them; of very many the longest.
    static func places(_ ranges: ByteRanges) -> [Done] {
        var kept = ranges.ranges
        if kept.count > most {
            kept.sort { $0.length > $1.length }
            kept.removeSubrange(most...)
            kept.sort { $0.lowerBound < $1.lowerBound }
        }
        return kept.map { Done(start: $0.lowerBound, end: $0.upperBound) }
    }

    /// Which bytes are there.
    var ranges: ByteRanges { ByteRanges(done.map { $0.start..<$0.end }) }
}

extension RangeFetch {
    /// What an answer that is not the range that was asked for means for the others.
    func refusal(_ answer: Answer, of known: RemoteState?) async throws -> any Error {
        switch answer.verdict {
        case .failed: return try await failure(answer)
        case .whole(let length):
            answer.drop()
            let headers = answer.head.headers
            let isChange =
                known.map { $0.difference(headers, total: length) != nil } ?? (length == nil)
            return Misfit(reason: "the whole came for a range", isChange: isChange)
        case .changed(let reason):
            answer.drop()
            return Misfit(reason: reason, isChange: true)
        case .misfit(let reason):
            answer.drop()
            return Misfit(reason: reason, isChange: false)
        case .complete, .part:
            answer.drop()
            return Misfit(reason: "there is nothing in the range", isChange: true)
        }
    }
}
