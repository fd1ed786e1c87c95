// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Which bytes of a file are there and of which state of it, what to ask for next, and what an answer means; no I/O.
struct DownloadPlan: Sendable {
    /// What is there.
    enum Phase: Sendable, Hashable {
        /// No byte.
        case empty
        /// Bytes of a state that nobody can name.
        case nameless
        /// Bytes that a download can resume from.
        case partial
        /// All bytes; whether they are still those of the file has not been told.
        case whole
    }

    /// How ranges are asked for.
    enum RangeUse: Sendable, Hashable {
        /// With `If-Range`.
        case conditional
        /// Without, since the server gave the whole of a file that seems to be the same.
        case unconditional
        /// Not at all, since the server can't be trusted with them.
        case never
    }

    /// What follows from an answer.
    enum Step: Sendable, Hashable {
        /// Its body goes to the file.
        case receive(Reception)
        /// The range is requested once more, without `If-Range`.
        case askAgain
        /// There is nothing more to receive.
        case complete
        /// The bytes are forgotten, and all are asked for again.
        case beginAnew(RangeMismatch)
        /// Its status is the error.
        case fail
    }

    /// A body that is to be received.
    struct Reception: Sendable, Hashable {
        /// Where it begins in the remote file.
        var start: Int64
        /// How long the whole file is; `nil` if that was not told.
        var total: Int64?
        /// Whether it is a range that was asked for.
        var isPart: Bool
        /// Whether it takes the place of what is there.
        var isAnew: Bool
        /// Whether it goes on to the end of what is wanted, wherever that is.
        var isLast: Bool
    }

    /// Which bytes of the remote file are wanted; `nil` for all.
    let wanted: Range<Int64>?
    /// Whether a digest was asked for, which judges all bytes in the end.
    let isCovered: Bool
    /// The state that the bytes are of.
    private(set) var remote = RemoteState()
    /// What the head said of the file's digest.
    private(set) var declared: [Checksum] = []
    /// How many bytes are there from the first on.
    private(set) var position: Int64 = 0
    /// The bytes that are there, except for those before `position` that came in order.
    private(set) var pieces = ByteRanges()
    /// Bytes that an earlier download brought and that are still used.
    private(set) var resumed: Int64 = 0
    private(set) var ranges = RangeUse.conditional

    /// Begins without a byte.
    init(wanted: Range<Int64>?, isCovered: Bool) {
        self.wanted = wanted
        self.isCovered = isCovered
    }

    // MARK: What is there

    /// Where the wanted bytes begin in the remote file.
    var base: Int64 { wanted?.lowerBound ?? 0 }
    /// Where they end; `nil` if nobody has told.
    var end: Int64? {
        guard let wanted = wanted?.upperBound else { return remote.length }
        return min(wanted, remote.length ?? wanted)
    }
    /// The first byte of the remote file that is missing.
    var next: Int64 { base + position }
    /// How many bytes are wanted; `nil` if nobody has told.
    var length: Int64? { end.map { $0 - base } }
    /// How many bytes are there.
    var count: Int64 { max(position, pieces.count) }

    var phase: Phase {
        if count == 0 { return .empty }
        guard remote.condition != nil else { return .nameless }
        return next == end ? .whole : .partial
    }

    /// Which bytes are there.
    var done: ByteRanges {
        var done = pieces
        done.insert(0..<position)
        return done
    }

    /// What would be written beside the file now.
    func record(of place: String) -> DownloadRecord {
        DownloadRecord(
            place: place,
            wanted: DownloadPlan.done(wanted),
            remote: remote,
            checksums: declared.map(\.description),
            done: DownloadRecord.places(done)
        )
    }

    /// Whether a record speaks of bytes that this download wants.
    func canResume(_ record: DownloadRecord) -> Bool {
        record.wanted == DownloadPlan.done(wanted) && !record.done.isEmpty
    }

    private static func done(_ range: Range<Int64>?) -> DownloadRecord.Done? {
        range.map { DownloadRecord.Done(start: $0.lowerBound, end: $0.upperBound) }
    }

    // MARK: What to ask, and what answers mean

    /// What to ask for next.
    var question: RangeQuestion {
        switch phase {
        case .empty, .nameless: return wanted == nil || ranges == .never ? .whole : range(from: base)
        case .partial, .whole:
            guard ranges != .never else { return .whole }
            // If all is there, the last byte is asked for again, which tells whether it is still the same file.
            var question = range(from: phase == .whole ? next - 1 : next)
            question.known = remote
            question.isConditional = ranges == .conditional
            question.isCovered = isCovered
            return question
        }
    }

    private func range(from start: Int64) -> RangeQuestion {
        RangeQuestion(start: start, end: wanted?.upperBound, isRanged: true)
    }

    /// What follows from the answer to a question.
    mutating func step(after verdict: RangeVerdict, to question: RangeQuestion, _ headers: HTTPFields) -> Step {
        switch verdict {
        case .part(let count, let total):
            return .receive(
                Reception(
                    start: question.start,
                    total: total,
                    isPart: true,
                    // Bytes of a state that nobody can name are not filled up with those of another.
                    isAnew: phase == .empty || question.known == nil,
                    isLast: question.end == nil || count == 0
                )
            )
        case .whole(let length):
            if isWorthAsking(length, question, headers) {
                ranges = .unconditional
                return .askAgain
            }
            return .receive(Reception(start: 0, total: length, isPart: false, isAnew: true, isLast: true))
        case .complete: return .complete
        case .changed(let reason): return .beginAnew(.changed(reason))
        case .misfit(let reason): return .beginAnew(.unreliable(reason))
        case .failed: return .fail
        }
    }

    /// Whether the server sent the whole file instead of a range though the file seems to be the same: some servers
    /// ignore `If-Range` with a tag.
    private func isWorthAsking(_ length: Int64?, _ question: RangeQuestion, _ headers: HTTPFields) -> Bool {
        guard question.condition != nil, let tag = remote.entityTag, length == remote.length else { return false }
        return headers[.eTag]?.utf8.elementsEqual(tag.utf8) == true && headers[.acceptRanges]?.lowercased() != "none"
    }

    /// Whether nothing is missing after a body that was read to its end.
    func isComplete(after reception: Reception) -> Bool {
        guard reception.isPart, let end else { return reception.isLast }
        return next >= end
    }

    // MARK: What happens

    /// Goes on with what an earlier download left.
    mutating func resume(_ record: DownloadRecord) {
        remote = record.remote
        position = record.prefix
        pieces = record.ranges
        resumed = pieces.count
        declared = record.checksums.compactMap { try? Checksum(parsing: $0) }
    }

    /// Takes note of the head of a body that is received next.
    ///
    /// - Returns: Up to where there are bytes that it may repeat.
    mutating func begin(_ reception: Reception, _ headers: HTTPFields) -> Int64 {
        guard reception.isAnew else {
            remote.length = remote.length ?? reception.total
            return 0
        }
        let kept = position
        forgetBytes()
        remote = RemoteState(headers, length: reception.total)
        // The digest of a coded body is of the coded bytes, which are those that are kept.
        declared = DeclaredChecksums(headers, isPart: wanted != nil).items.map(\.checksum)
        return kept
    }

    /// Takes note of bytes that came in order.
    mutating func advance(to position: Int64) { self.position = position }

    /// Takes note of all bytes that are there, in whatever order they came.
    mutating func advance(to done: ByteRanges) {
        pieces = done
        position = done.end(of: 0)
    }

    /// Asks for no ranges any more.
    mutating func avoidRanges() { ranges = .never }

    /// Forgets all bytes.
    mutating func beginAnew(after mismatch: RangeMismatch) {
        forgetBytes()
        remote = RemoteState()
        switch (mismatch, ranges) {
        case (.unreliable, _), (_, .never): ranges = .never
        case (.changed, _): ranges = .conditional
        }
    }

    private mutating func forgetBytes() {
        position = 0
        pieces = ByteRanges()
        resumed = 0
    }
}
