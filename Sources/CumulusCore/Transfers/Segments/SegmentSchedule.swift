// SPDX-License-Identifier: Apache-2.0

/// Assigns segments of a file to several connections, and decides how the end of one affects the others, without I/O.
struct SegmentSchedule: Sendable {
    /// One connection's work.
    struct Job: Sendable, Equatable {
        let segment: SegmentMap.Segment
        /// Whether it may wait for a slot.
        let mayWait: Bool
    }

    /// How one connection's work ended.
    enum Outcome: Sendable {
        case done
        /// A limit had no free slot or permit for it.
        case limitReached
        /// The response was not the requested one.
        case mismatch(RangeMismatch)
        case failed(any Error)
    }

    /// The effect of a connection's end on the others.
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
    private let chunkSize: Int64
    private let smallestShare: Int64
    /// Whether the number of connections was requested.
    private let isFixed: Bool
    private var running = 0
    /// The running connections whose segments the first response has taken over, by segment.
    private var abandoned: Set<Int> = []
    /// The number of running connections whose bytes are still wanted.
    private var working: Int { running - abandoned.count }
    /// Whether a limit has refused a connection since the last review and the last end of another connection.
    private var isLimited = false
    /// How many have run at once.
    private var mostRunning = 0
    /// How many seconds a new connection needs until its first byte.
    private var latency: Double
    /// Until when the rate is measured before the first response's bytes are divided.
    private var measuredUntil: ContinuousClock.Instant?
    /// The pace of each connection, by its segment.
    private var paces: [Int: SegmentPace] = [:]
    /// The bytes that ended connections have delivered recently, and the time that they took.
    private var past = (bytes: 0.0, seconds: 0.0)
    private var received: Int64 = 0
    /// The bytes received when an additional connection failed last, as the only one that was left.
    private var receivedBeforeLast: Int64?
    /// The segment of the first response, whose body extends to the end of the file.
    private var first: Int?
    /// The digest of the bytes received in order from the start; removed while it is being updated.
    private(set) var digest: RunningDigest?
    /// Whether bytes of the digest may have been replaced, so that it is computed again from the file.
    private var isDigestStale = false

    init(
        _ terms: SegmentedFetch.Terms,
        map: SegmentMap,
        digest: RunningDigest,
        at now: ContinuousClock.Instant
    ) {
        self.map = map
        self.digest = digest
        chunkSize = terms.chunkSize
        smallestShare = terms.smallestShare
        isFixed = terms.connections != nil
        latency = terms.latency / .seconds(1)
        plan = ConnectionPlan(fixed: terms.connections, limit: terms.most, at: now)
    }

    // MARK: Assigning work

    /// Assigns the first response, which has already arrived, its share.
    ///
    /// - Parameters:
    ///   - start: The start of its body in the file.
    ///   - end: The end of its body.
    ///   - now: The current instant.
    /// - Returns: The job, or `nil` if none of its bytes are missing.
    mutating func begin(at start: Int64, to end: Int64, at now: ContinuousClock.Instant) -> Job? {
        // Where connections need long for their first byte, one may have the file before the others begin.
        let isDividedAtOnce = isFixed && latency < SegmentSchedule.shortestTime
        if isFixed, !isDividedAtOnce { measuredUntil = now.advanced(by: ConnectionPlan.window) }
        guard let segment = map.claim(at: start, idle: isDividedAtOnce ? plan.allowed : 1, minimum: smallestShare)
        else { return nil }
        if end >= map.length { first = segment.id }
        return job(segment, mayWait: true, SegmentPace(at: now))
    }

    /// Finds work for another connection.
    ///
    /// After a limit has refused a connection, no other one is tried before the next review, or the end of another
    /// connection. A rate limit doesn't report when it has a permit, so an immediate try could be repeated without a
    /// pause.
    ///
    /// - Parameters:
    ///   - isFull: Whether a limit has no slot for a connection that doesn't wait.
    ///   - now: The current instant.
    /// - Returns: The job, or `nil` if no work is left, or if the limit of connections is reached.
    mutating func next(isFull: Bool, at now: ContinuousClock.Instant) -> Job? {
        let isOnly = working == 0
        guard isOnly || (running < plan.allowed && !isFull && !isLimited), !map.isComplete else { return nil }
        let claimed = map.claim(idle: plan.allowed - running, minimum: smallestShare)
        guard let segment = claimed ?? takeOver(at: now) else { return nil }
        return job(segment, mayWait: isOnly, SegmentPace(sentAt: now, expecting: latency))
    }

    private mutating func job(_ segment: SegmentMap.Segment, mayWait: Bool, _ pace: SegmentPace) -> Job {
        running += 1
        mostRunning = max(mostRunning, running)
        paces[segment.id] = pace
        return Job(segment: segment, mayWait: mayWait)
    }

    /// Takes over remaining bytes of the connection that would finish last: so many that both finish together, or
    /// all of them if it hardly moves.
    ///
    /// The time until the first of them arrives counts, too.
    private mutating func takeOver(at now: ContinuousClock.Instant) -> SegmentMap.Segment? {
        let usual = usualRate(at: now)
        let durations = map.segments.map { segment in
            let remaining = Double(segment.remaining.length)
            guard let usual, let pace = paces[segment.id] else { return remaining / (usual ?? 1) }
            return pace.wait(at: now) + remaining / pace.rate(at: now, usual: usual)
        }
        guard let index = durations.indices.max(by: { durations[$0] < durations[$1] }) else { return nil }
        let (id, remaining, duration) = (map.segments[index].id, map.segments[index].remaining.length, durations[index])
        // An additional connection must be worth its cost. One that is idle anyway only costs a request.
        let isFurther = !isFixed && running >= mostRunning
        let smallest = isFurther ? chunkSize : min(chunkSize, SegmentSchedule.smallestPiece(usual))
        guard remaining > 0, let known = usual else {
            return !isMeasuring(at: now) && remaining / 2 >= smallest ? split(id, remaining - remaining / 2) : nil
        }
        if !isFurther, duration < latency + SegmentSchedule.shortestWait { return nil }
        // If all others begin now, they share what the only one leaves to them.
        let isShared = paces.values.count { $0.wait(at: now) == 0 } == 1
        let count = isShared ? Double(max(1, plan.allowed - running)) : 1
        let rate = Double(remaining) / (duration - (paces[id]?.wait(at: now) ?? 0))
        let portion = (duration - latency) / (1 / known + count / rate)
        // The longest file's share may round to more than there is.
        let share = min(Int64(exactly: portion.rounded()) ?? remaining, remaining)
        if min(share, remaining - share) >= smallest { return split(id, share) }
        if isFurther || duration < latency + 1 + 2 * Double(remaining) / known { return nil }
        return split(id, remaining)
    }

    private mutating func split(_ id: Int, _ count: Int64) -> SegmentMap.Segment? {
        let given = map.split(id, giving: count)
        if map[id] == nil {
            if first == id { first = nil }
            // A connection that hangs says nothing about the rate of the others.
            paces[id] = nil
        }
        return given
    }

    /// The average rate of a connection; `nil` if too little is known.
    private func usualRate(at now: ContinuousClock.Instant) -> Double? {
        let (bytes, seconds) = paces.values.reduce(past) { ($0.bytes + $1.bytes, $0.seconds + $1.elapsed(at: now)) }
        return bytes > 0 && seconds >= SegmentSchedule.shortestTime ? bytes / seconds : nil
    }

    /// Whether the rate of the first response is still being measured, and not known yet.
    private func isMeasuring(at now: ContinuousClock.Instant) -> Bool {
        guard let measuredUntil, now < measuredUntil else { return false }
        return usualRate(at: now) == nil
    }

    /// When the work should be reviewed again.
    func nextReview(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let soon = now.advanced(by: .seconds(SegmentSchedule.shortestTime))
        return isMeasuring(at: now) ? min(soon, plan.nextReview) : plan.nextReview
    }

    /// Below this time in seconds, the number of bytes says nothing about the rate.
    private static let shortestTime = 0.05
    /// No bytes are taken over from a connection that will end within this many seconds.
    private static let shortestWait = 0.3

    /// The smallest piece to take over, which is larger as long as no rate is known.
    private static func smallestPiece(_ usual: Double?) -> Int64 { usual == nil ? 1 << 20 : 16 << 10 }

    /// Reviews the received bytes, and may allow one more connection.
    mutating func review(at now: ContinuousClock.Instant) {
        isLimited = false
        guard now >= plan.nextReview else { return }
        plan.review(bytes: received, running: paces.values.count { $0.bytes > 0 }, at: now)
        for id in paces.keys { paces[id]?.fade(at: now) }
        past = (past.bytes / 2, past.seconds / 2)
    }

    /// Notes a connection's end.
    mutating func settle(_ job: Job, _ outcome: Outcome, at now: ContinuousClock.Instant) -> Course {
        running -= 1
        isLimited = false
        let isAbandoned = abandoned.remove(job.segment.id) != nil
        if let pace = paces.removeValue(forKey: job.segment.id) {
            past = (past.bytes + pace.bytes, past.seconds + pace.elapsed(at: now))
        }
        if case .mismatch = outcome { map.revoke(job.segment.id) } else { map.release(job.segment.id) }
        if first == job.segment.id { first = nil }
        switch outcome {
        case .done: break
        case .limitReached: isLimited = true
        case .mismatch(let mismatch):
            // Digests can't be rewound.
            isDigestStale = true
            digest = digest?.cleared
            return settle(mismatch, isAbandoned: isAbandoned)
        case .failed(let failure as CumulusError) where failure.code != .disk:
            if isAbandoned { break }
            plan.retreat(at: now)
            guard working == 0 else { break }
            // A server that refuses additional connections may serve the file over one, which is requested next; again
            // only if bytes have arrived meanwhile.
            if job.mayWait || received == receivedBeforeLast { return .fail(failure) }
            receivedBeforeLast = received
        case .failed(let error): return .fail(error)
        }
        return .goOn
    }

    /// The server sent something other than the requested range: the first response continues alone while it runs.
    ///
    /// That applies to a changed file, too: all bytes of the first response are from one state, and servers behind a
    /// load balancer may have different tags for the same file.
    private mutating func settle(_ mismatch: RangeMismatch, isAbandoned: Bool) -> Course {
        let alone = first.flatMap { map[$0]?.id }
        if case .changed = mismatch, alone == nil, !isAbandoned { return .stop(mismatch) }
        plan.stayAlone()
        guard let alone else { return working == 0 ? .stop(mismatch) : .goOn }
        for segment in map.segments where segment.id != alone { abandon(segment.id) }
        map.extend(alone)
        return .goOn
    }

    /// Notes that a running connection's bytes are no longer wanted.
    private mutating func abandon(_ id: Int) {
        abandoned.insert(id)
        // Its delay says nothing about the rate of the others.
        paces[id] = nil
    }

    // MARK: Bytes

    /// The range where received bytes belong; shorter than the received bytes, or empty, if it reaches the neighbor.
    ///
    /// The first response, whose body extends to the end of the file, continues over a neighbor that has not delivered
    /// a byte: its connection may never do so.
    mutating func take(_ count: Int, of id: Int) -> Range<Int64> {
        if id == first {
            while let segment = map[id], segment.remaining.length <= count, let silent = map.absorbNeighbor(of: id) {
                abandon(silent)
            }
        }
        return map.take(count, of: id)
    }

    /// Notes written bytes.
    ///
    /// - Returns: The number of bytes that did not exist before.
    @discardableResult
    mutating func commit(_ range: Range<Int64>, of id: Int, at now: ContinuousClock.Instant) -> Int64 {
        let count = map.commit(id, to: range.upperBound)
        received += range.length
        if let measured = paces[id]?.add(range.length, at: now) { latency = (latency + measured) / 2 }
        return count
    }

    /// Lends the digest to be updated with the bytes from an offset; `nil` if they are not the next ones.
    mutating func lendDigest(at position: Int64) -> RunningDigest? {
        guard let lent = digest, !lent.isEmpty, lent.count == position else { return nil }
        digest = nil
        return lent
    }

    /// Returns the lent digest; it is cleared if a mismatch was settled in the meantime.
    mutating func giveBack(_ digest: RunningDigest) { self.digest = isDigestStale ? digest.cleared : digest }
}
