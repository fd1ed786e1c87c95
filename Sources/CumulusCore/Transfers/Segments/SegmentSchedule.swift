// SPDX-License-Identifier: Apache-2.0

/// Who fetches what of a file over several connections, and what the end of one means for the others; no I/O.
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
        /// A limit had no slot for it.
        case full
        /// What came is not what was asked for.
        case mismatch(RangeMismatch)
        case failed(any Error)
    }

    /// What the end of a connection means for all.
    enum Course: Sendable {
        case goOn
        /// The server's bytes, or its ranges, can't be trusted.
        case stop(RangeMismatch)
        case fail(any Error)
    }

    /// Which bytes are there, and who fetches which.
    private(set) var map: SegmentMap
    /// How many connections there may be.
    private(set) var plan: ConnectionPlan
    /// The state of the file that each source must show; `nil` while it is not known.
    private(set) var known: [RemoteState?]
    private var roster: SourceRoster
    private let chunkSize: Int64
    /// Whether the number of connections was asked for.
    private let isFixed: Bool
    private var running = 0
    /// Segments that have given bytes.
    private var flowing: Set<Int> = []
    private var received: Int64 = 0
    /// The segment of the first answer, whose body goes on to the end of the file.
    private var first: Int?
    /// Of the bytes from the first on, as long as received in order; taken out while it is brought on.
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

    // MARK: Who does what

    /// Gives the first answer, which is there already, its share.
    ///
    /// - Parameters:
    ///   - start: Where in the file its body begins.
    ///   - end: Where it ends.
    /// - Returns: The job, or `nil` if nothing of it is missing.
    mutating func begin(at start: Int64, to end: Int64) -> Job? {
        guard let segment = map.claim(at: start, idle: isFixed ? plan.allowed : 1, minimum: chunkSize),
            let source = roster.begin()
        else { return nil }
        running = 1
        if end >= map.length { first = segment.id }
        return Job(segment: segment, source: source, mayWait: true)
    }

    /// Finds work for one more connection.
    ///
    /// - Parameter isFull: Whether a limit has no slot for one that doesn't wait.
    /// - Returns: The job, or `nil` if there is none, or there are as many connections as there may be.
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

    /// Looks at what has come since the last time, and may allow one more.
    mutating func review(at now: ContinuousClock.Instant) {
        plan.review(bytes: received, running: flowing.count, at: now)
    }

    /// Takes note of a connection's end.
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
            // Digests can't go back.
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

    /// The only source gave something else than a range: the one stream that can get on without may do it alone.
    private mutating func settle(_ mismatch: RangeMismatch) -> Course {
        if case .changed = mismatch { return .stop(mismatch) }
        plan.stayAlone()
        guard let first else { return running == 0 ? .stop(mismatch) : .goOn }
        map.extend(first)
        return .goOn
    }

    // MARK: Bytes

    /// Takes note of the state that a source has shown.
    mutating func learn(_ state: RemoteState, of source: Int) { known[source] = state }

    /// Where received bytes belong; fewer than were received, or none, where the neighbour begins.
    mutating func take(_ count: Int, of id: Int) -> Range<Int64> { map.take(count, of: id) }

    /// Takes note of bytes that have been written.
    mutating func commit(_ range: Range<Int64>, of id: Int) {
        map.commit(id, to: range.upperBound)
        received += range.length
        flowing.insert(id)
    }

    /// Hands the digest to whoever brings it on by the bytes from a position on; `nil` if they are not the next.
    mutating func lendDigest(at position: Int64) -> RunningDigest? {
        guard let lent = digest, !lent.isEmpty, lent.count == position else { return nil }
        digest = nil
        return lent
    }

    mutating func giveBack(_ digest: RunningDigest) { self.digest = digest }
}
