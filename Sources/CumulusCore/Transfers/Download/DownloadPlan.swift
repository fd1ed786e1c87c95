// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The progress of a download, without I/O: the existing bytes and their state, the next request, and the meaning of
/// a response.
struct DownloadPlan: Sendable {
    /// The state of the received bytes.
    enum Phase: Sendable, Hashable {
        /// No bytes.
        case empty
        /// Bytes of a state without a revision.
        case unversioned
        /// Bytes that a download can resume from.
        case partial
        /// All bytes; the server has not confirmed yet that they are still the same.
        case whole
    }

    /// How ranges are requested.
    enum RangeUse: Sendable, Hashable {
        /// With `If-Range`.
        case conditional
        /// Without `If-Range`, since the server sent the whole of a file that seems to be unchanged.
        case unconditional
        /// Not at all, since the server's ranges can't be trusted.
        case never
    }

    /// The consequence of a response.
    enum Step: Sendable, Hashable {
        /// Write its body to the file.
        case receive(Reception)
        /// Request the range again, without `If-Range`.
        case requestAgain
        /// There is nothing more to receive.
        case complete
        /// Discard the bytes, and request all again.
        case startOver(RangeMismatch)
        /// Fail with its status.
        case fail
    }

    /// A body to receive.
    struct Reception: Sendable, Hashable {
        /// Its start in the remote file.
        var start: Int64
        /// The length of the whole file; `nil` if unknown.
        var total: Int64?
        /// Whether it is a requested range.
        var isPart: Bool
        /// Whether it replaces the existing bytes.
        var startsOver: Bool
        /// Whether its content coding is decoded, so that the head's tag, date and digests are those of other bytes.
        var isDecoded = false
    }

    /// The wanted range of the remote file; `nil` for all.
    let wanted: Range<Int64>?
    /// Whether a digest was requested, which verifies all bytes in the end.
    let isCovered: Bool
    /// The state of the remote file that the bytes are from.
    private(set) var remote = RemoteState()
    /// The digests of the file that the head declared.
    private(set) var declared: [Checksum] = []
    /// The number of contiguous bytes from the start.
    private(set) var position: Int64 = 0
    /// The existing bytes, except for those before `position` that arrived in order.
    private(set) var pieces = ByteRanges()
    /// The number of bytes from an earlier download that are still used.
    private(set) var resumed: Int64 = 0
    private(set) var ranges = RangeUse.conditional
    /// The reason why received bytes were discarded; `nil` if none were.
    private(set) var restartReason: String?
    /// Whether a response of the file has been received, in this run or an earlier one.
    private var hasBegun = false

    /// Starts without bytes.
    init(wanted: Range<Int64>?, isCovered: Bool) {
        self.wanted = wanted
        self.isCovered = isCovered
    }

    // MARK: Existing bytes

    /// The start of the wanted bytes in the remote file.
    var base: Int64 { wanted?.lowerBound ?? 0 }
    /// Their end; `nil` if unknown.
    var end: Int64? {
        guard let wanted = wanted?.upperBound else { return remote.length }
        return min(wanted, remote.length ?? wanted)
    }
    /// The first missing byte of the remote file.
    var next: Int64 { base + position }
    /// The number of wanted bytes, 0 for a range behind the end; `nil` if unknown.
    var length: Int64? { end.map { max(0, $0 - base) } }
    /// The number of existing bytes.
    var count: Int64 { max(position, pieces.count) }

    var phase: Phase {
        if count == 0 { return .empty }
        guard remote.condition != nil else { return .unversioned }
        return next == end ? .whole : .partial
    }

    /// The existing bytes.
    var done: ByteRanges {
        var done = pieces
        done.insert(0..<position)
        return done
    }

    /// The record to write next to the file now.
    func record(of place: String) -> DownloadRecord {
        DownloadRecord(
            place: place,
            wanted: DownloadPlan.done(wanted),
            remote: remote,
            checksums: declared.map(\.description),
            done: DownloadRecord.places(done)
        )
    }

    /// Whether a record lists bytes that this download wants.
    func canResume(_ record: DownloadRecord) -> Bool {
        record.wanted == DownloadPlan.done(wanted) && !record.done.isEmpty
    }

    private static func done(_ range: Range<Int64>?) -> DownloadRecord.Done? {
        range.map { DownloadRecord.Done(start: $0.lowerBound, end: $0.upperBound) }
    }

    // MARK: Requests and responses

    /// The next request.
    var rangeRequest: RangeRequest {
        var rangeRequest = nextRangeRequest
        rangeRequest.isContinued = hasBegun
        return rangeRequest
    }

    private var nextRangeRequest: RangeRequest {
        switch phase {
        case .empty, .unversioned: return wanted == nil || ranges == .never ? .whole : range(from: base)
        case .partial, .whole:
            guard ranges != .never else { return .whole }
            // If all bytes exist, the last one is requested again, which shows whether the file is still the same.
            var rangeRequest = range(from: phase == .whole ? next - 1 : next)
            rangeRequest.known = remote
            rangeRequest.isConditional = ranges == .conditional
            rangeRequest.isCovered = isCovered
            return rangeRequest
        }
    }

    private func range(from start: Int64) -> RangeRequest {
        RangeRequest(start: start, end: wanted?.upperBound, isRanged: true)
    }

    /// The consequence of the response to a request.
    mutating func step(after check: RangeCheck, to rangeRequest: RangeRequest, _ headers: HTTPFields) -> Step {
        switch check {
        case .part(_, let total):
            return .receive(
                Reception(
                    start: rangeRequest.start,
                    total: total,
                    isPart: true,
                    // Bytes of a state without a revision can't be combined with those of another.
                    startsOver: phase == .empty || rangeRequest.known == nil
                )
            )
        case .whole(let length):
            if shouldRequestAgain(length, rangeRequest, headers) {
                ranges = .unconditional
                return .requestAgain
            }
            return .receive(Reception(start: 0, total: length, isPart: false, startsOver: true))
        case .decoded:
            return .receive(Reception(start: 0, total: nil, isPart: false, startsOver: true, isDecoded: true))
        case .complete: return .complete
        case .changed(let reason): return .startOver(.changed(reason))
        case .unreliable(let reason): return .startOver(.unreliable(reason))
        case .failed: return .fail
        }
    }

    /// Whether the server sent the whole file instead of a range although it seems to be unchanged: some servers ignore
    /// `If-Range` with a tag.
    private func shouldRequestAgain(_ length: Int64?, _ rangeRequest: RangeRequest, _ headers: HTTPFields) -> Bool {
        guard rangeRequest.condition != nil, let tag = remote.entityTag, length == remote.length else { return false }
        return headers.entityTag?.utf8.elementsEqual(tag.utf8) == true && headers[.acceptRanges]?.lowercased() != "none"
    }

    /// Whether all bytes are there after a body that was read to its end.
    func isComplete(after reception: Reception) -> Bool {
        guard reception.isPart else { return true }
        // As long as the length is unknown, more bytes may follow.
        return end.map { next >= $0 } ?? false
    }

    /// The reason why a body replaces the existing bytes.
    private func replacement(by reception: Reception, _ headers: HTTPFields) -> String {
        if phase == .unversioned { return "the earlier response had neither a strong entity tag nor a usable date" }
        if let difference = remote.difference(headers, total: reception.total) { return difference }
        return ranges == .never
            ? "the server's ranges can't be trusted" : "the server sent the whole file instead of a range"
    }

    // MARK: Events

    /// Continues from an earlier download's record.
    mutating func resume(_ record: DownloadRecord) {
        hasBegun = true
        // An existing file at the destination may be continued in place of an unusable part file.
        restartReason = nil
        remote = record.remote
        position = record.prefix
        pieces = record.ranges
        resumed = pieces.count
        declared = record.checksums.compactMap { try? Checksum(parsing: $0) }
    }

    /// Notes why the bytes of an earlier download are not used.
    mutating func note(unusable reason: String) { restartReason = reason }

    /// Notes the head of the body that is received next, and the source of its bytes.
    ///
    /// - Returns: The end of the bytes that it may repeat.
    mutating func begin(_ reception: Reception, _ headers: HTTPFields, from source: ResponseSource? = nil) -> Int64 {
        hasBegun = true
        guard reception.startsOver else {
            remote.length = remote.length ?? reception.total
            if let source { remote.source?.add(source) }
            return 0
        }
        if count > 0 { restartReason = replacement(by: reception, headers) }
        let kept = position
        forgetBytes()
        if reception.isDecoded {
            (remote, declared) = (RemoteState(), [])
            return kept
        }
        let isSame = source.flatMap { remote.source?.difference(from: $0, isCovered: false) } == nil
        let later = RemoteState(headers, length: reception.total, from: source)
        remote = isSame ? remote.followed(by: later) : later
        // The digest of an encoded body covers the encoded bytes, which are stored.
        declared = DeclaredChecksums(headers, isPart: wanted != nil).items.map(\.checksum)
        return kept
    }

    /// Notes bytes that arrived in order.
    mutating func advance(to position: Int64) { self.position = position }

    /// Notes all existing bytes, in any order.
    mutating func advance(to done: ByteRanges) {
        pieces = done
        position = done.end(of: 0)
    }

    /// Notes the cookies that another run may send.
    mutating func note(_ changes: borrowing CookieChanges) { remote.source?.add(changes) }

    /// Stops requesting ranges.
    mutating func avoidRanges() { ranges = .never }

    /// Discards all bytes.
    mutating func startOver(after mismatch: RangeMismatch) {
        if count > 0 { restartReason = mismatch.reason }
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
