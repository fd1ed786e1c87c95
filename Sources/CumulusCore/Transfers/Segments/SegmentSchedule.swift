// SPDX-License-Identifier: Apache-2.0

/// Assigns segments of a file to several connections, and decides what the end of one means for the others; no I/O.
struct SegmentSchedule: Sendable {
    /// One connection's work.
    struct Job: Sendable, Equatable {
        let segment: SegmentMap.Segment
        let source: Int
        /// Whether it may wait for a slot.
        let mayWait: Bool
    }

    /// How one connection's work ended.
    enum Outcome: Sendable {
        case done
        /// A limit had no free slot for it.
        case full
        /// The answer was not the requested one.
        case mismatch(RangeMismatch)
        case failed(any Error)
    }

    /// What the end of a connection means for the others.
    enum Course: Sendable {
        case goOn
        /// The server's bytes, or its ranges, can't be trusted.
        case stop(RangeMismatch)
        case fail(any Error)
    }

    /// The existing bytes, and the running segments.
    private(set) var map: SegmentMap
    /// The plan for the number of connections.
    private(set) var plan: ConnectionPlan
    /// The state of the file that each source must show; `nil` until it is known.
    private(set) var known: [RemoteState?]
    private var roster: SourceRoster
    private let chunkSize: Int64
    /// Whether the number of connections was requested.
    private let isFixed: Bool
    private var running = 0
    /// The segments that have delivered bytes.
    private var flowing: Set<Int> = []
    private var received: Int64 = 0
    /// The segment of the first answer, whose body extends to the end of the file.
    private var first: Int?
    /// The digest of the bytes received in order from the start; removed while it is being updated.
    private(set) var digest: RunningDigest?

    init(
        _ terms: SegmentedFetch.Terms,
        origins: [Origin],
        map: SegmentMap,
        digest: RunningDigest,
        at now: ContinuousClock.Instant
    ) {
        self.map = map
        self.digest = digest
        chunkSize = terms.chunkSize
        isFixed = terms.connections != nil
        roster = SourceRoster(origins: origins, perOrigin: max(1, terms.connections ?? terms.perOrigin))
        plan = ConnectionPlan(fixed: terms.connections, limit: roster.capacity, at: now)
        known = origins.indices.map { $0 > 0 && terms.isCovered ? nil : terms.remote }
    }

    // MARK: Assigning work

    /// Assigns the first answer, which has already arrived, its share.
    ///
    /// - Parameters:
    ///   - start: The start of its body in the file.
    ///   - end: The end of its body.
    /// - Returns: The job, or `nil` if none of its bytes are missing.
    mutating func begin(at start: Int64, to end: Int64) -> Job? {
        guard let segment = map.claim(at: start, idle: isFixed ? plan.allowed : 1, minimum: chunkSize),
            let source = roster.begin()
        else { return nil }
        running = 1
        if end >= map.length { first = segment.id }
        return Job(segment: segment, source: source, mayWait: true)
    }

    /// Finds work for another connection.
    ///
    /// - Parameter isFull: Whether a limit has no slot for a connection that doesn't wait.
    /// - Returns: The job, or `nil` if there is none, or if the limit of connections is reached.
    mutating func next(isFull: Bool) -> Job? {
        let isOnly = running == 0
        guard isOnly || (running < plan.allowed && !isFull), !map.isComplete, let source = roster.begin() else {
            return nil
        }
        guard let segment = map.claim(idle: plan.allowed - running, minimum: chunkSize) else {
            roster.end(source)
            return nil
        }
        running += 1
        return Job(segment: segment, source: source, mayWait: isOnly)
    }

    /// Reviews the received bytes, and may allow one more connection.
    mutating func review(at now: ContinuousClock.Instant) {
        plan.review(bytes: received, running: flowing.count, at: now)
    }

    /// Notes a connection's end.
    mutating func settle(_ job: Job, _ outcome: Outcome, at now: ContinuousClock.Instant) -> Course {
        running -= 1
        roster.end(job.source)
        let hasGiven = flowing.remove(job.segment.id) != nil
        if case .mismatch = outcome { map.revoke(job.segment.id) } else { map.release(job.segment.id) }
        if first == job.segment.id { first = nil }
        switch outcome {
        case .done: roster.succeed(job.source)
        case .full: break
        case .mismatch(let mismatch):
            // Digests can't be rewound.
            digest = digest?.anew
            if !roster.fail(job.source, isFinal: true) { return settle(mismatch) }
        case .failed(let failure as CumulusError) where failure.code != .disk:
            if hasGiven, failure.isBreak { roster.succeed(job.source) }
            if roster.fail(job.source, isFinal: !failure.isBreak) { return .goOn }
            plan.retreat(at: now)
            let hasOthers = roster.sources.contains { !$0.isDropped && $0.failures == 0 }
            if running == 0, !hasOthers || !failure.isBreak { return .fail(failure) }
        case .failed(let error): return .fail(error)
        }
        return .goOn
    }

    /// The only source sent something other than a range: a single stream that can do without ranges may continue
    /// alone.
    private mutating func settle(_ mismatch: RangeMismatch) -> Course {
        if case .changed = mismatch { return .stop(mismatch) }
        plan.stayAlone()
        guard let first else { return running == 0 ? .stop(mismatch) : .goOn }
        map.extend(first)
        return .goOn
    }

    // MARK: Bytes

    /// Notes the state that a source has shown.
    mutating func learn(_ state: RemoteState, of source: Int) { known[source] = state }

    /// The range where received bytes belong; shorter than the received bytes, or empty, if it reaches the neighbour.
    mutating func take(_ count: Int, of id: Int) -> Range<Int64> { map.take(count, of: id) }

    /// Notes written bytes.
    mutating func commit(_ range: Range<Int64>, of id: Int) {
        map.commit(id, to: range.upperBound)
        received += range.length
        flowing.insert(id)
    }

    /// Lends the digest to be updated with the bytes from an offset; `nil` if they are not the next ones.
    mutating func lendDigest(at position: Int64) -> RunningDigest? {
        guard let lent = digest, !lent.isEmpty, lent.count == position else { return nil }
        digest = nil
        return lent
    }

    mutating func giveBack(_ digest: RunningDigest) { self.digest = digest }
}
