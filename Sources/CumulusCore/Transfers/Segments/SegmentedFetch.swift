// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Fetches what is missing of a file over several connections at once, one or more mirrors included.
///
/// One task for each connection; they share the map, and the task that runs this one decides who goes on with what.
/// An extra connection never waits at a limit, it is left out where there is no slot: so a download never waits for
/// itself, and needs no more than one slot to get on.
final class SegmentedFetch: Sendable {
    /// What stays the same for the whole of it.
    struct Terms: Sendable {
        /// A number of connections that was asked for.
        var connections: Int?
        var perOrigin: Int
        var chunkSize: Int64
        /// Where the file begins in the remote file.
        var base: Int64
        /// Of which state the bytes must be.
        var remote: RemoteState
        /// Whether a digest was given, which covers mirrors that know the file by something else.
        var isCovered: Bool
        /// Whether `If-Range` is sent.
        var isConditional: Bool
    }

    /// One connection's work.
    private struct Job: Sendable {
        let segment: SegmentMap.Segment
        let source: Int
        /// Whether it may wait for a slot.
        let mayWait: Bool
        /// An answer that is there already.
        var answer: RangeFetch.Answer?
    }

    private enum Event: Sendable {
        case ended(Job, (any Error)?)
        case tick
    }

    private struct State {
        var map: SegmentMap
        var plan: ConnectionPlan
        var roster: SourceRoster
        /// The state of the file that each source must show; `nil` while it is not known.
        var known: [RemoteState?]
        var running = 0
        /// Segments that have given bytes.
        var flowing: Set<Int> = []
        var received: Int64 = 0
        /// The segment of the first answer, whose body goes on to the end of the file.
        var first: Int?
        /// Of the bytes from the first on, as long as they came in order; taken out while it is brought on.
        var digest: RunningDigest?
    }

    private let sources: [RangeFetch]
    private let terms: Terms
    private let part: PartFile
    private let clock: any RequestClock
    private let limit: Limit
    /// Is told of bytes that have been written, and may ask which are there.
    private let wrote: @Sendable (_ count: Int, _ done: () -> ByteRanges) -> Void
    private let state: Mutex<State>

    init(
        _ sources: [RangeFetch],
        _ terms: Terms,
        into part: PartFile,
        map: SegmentMap,
        digest: RunningDigest,
        wrote: @escaping @Sendable (_ count: Int, _ done: () -> ByteRanges) -> Void
    ) {
        self.sources = sources
        self.terms = terms
        self.part = part
        self.wrote = wrote
        let exchange = sources[0].pipeline.exchange
        clock = exchange.clock
        limit = exchange.limit
        let origins = sources.map(\.draft.origin)
        let perOrigin = max(1, terms.connections ?? terms.perOrigin)
        let roster = SourceRoster(origins: origins, perOrigin: perOrigin)
        state = Mutex(
            State(
                map: map,
                plan: ConnectionPlan(fixed: terms.connections, limit: roster.capacity, at: clock.now),
                roster: roster,
                known: sources.indices.map { $0 > 0 && terms.isCovered ? nil : terms.remote },
                digest: digest
            )
        )
    }

    /// Which bytes are there.
    var done: ByteRanges { state.withLock(\.map.done) }

    /// The digests of the bytes that came in order from the first on.
    var digest: RunningDigest? { state.withLock(\.digest) }

    /// Fetches all that is missing; when it ends, however it does, no connection of it is left.
    ///
    /// - Parameters:
    ///   - answer: What the first source has answered, its body unread.
    ///   - start: Where in the file its body begins.
    /// - Throws: ``RangeFetch/Misfit`` where the file has changed or no ranges are to be had, ``FileProblem``,
    ///   ``CumulusError`` for what ended the last connection, `CancellationError`.
    func run(_ answer: RangeFetch.Answer, from start: Int64) async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            if let job = begin(answer, at: start) {
                group.addTask { await self.work(job) }
            } else {
                answer.drop()
            }
            group.addTask { await self.tick() }
            fill(&group)
            while !state.withLock(\.map.isComplete) {
                guard let event = try await group.next() else { break }
                try Task.checkCancellation()
                switch event {
                case .tick:
                    let now = clock.now
                    state.withLock { $0.plan.review(bytes: $0.received, running: $0.flowing.count, at: now) }
                    group.addTask { await self.tick() }
                case .ended(let job, let error): try settle(job, error)
                }
                fill(&group)
            }
            group.cancelAll()
        }
    }

    private func tick() async -> Event {
        let next = state.withLock(\.plan.nextReview)
        try? await clock.sleep(until: next)
        return .tick
    }

    // MARK: Who does what

    private func begin(_ answer: RangeFetch.Answer, at start: Int64) -> Job? {
        state.withLock { state in
            let idle = terms.connections == nil ? 1 : state.plan.allowed
            guard let segment = state.map.claim(at: start, idle: idle, minimum: terms.chunkSize),
                let source = state.roster.begin()
            else { return nil }
            state.running = 1
            if SegmentedFetch.end(of: answer, from: start) >= state.map.length { state.first = segment.id }
            return Job(segment: segment, source: source, mayWait: true, answer: answer)
        }
    }

    private func fill(_ group: inout ThrowingTaskGroup<Event, any Error>) {
        while let job = next() { group.addTask { await self.work(job) } }
    }

    private func next() -> Job? {
        let isFull = limit.gate?.isFull ?? false
        return state.withLock { state in
            let isOnly = state.running == 0
            guard isOnly || (state.running < state.plan.allowed && !isFull), !state.map.isComplete,
                let source = state.roster.begin()
            else { return nil }
            let idle = state.plan.allowed - state.running
            guard let segment = state.map.claim(idle: idle, minimum: terms.chunkSize) else {
                state.roster.end(source)
                return nil
            }
            state.running += 1
            return Job(segment: segment, source: source, mayWait: isOnly)
        }
    }

    /// Takes note of a connection's end; throws what ends all of them.
    private func settle(_ job: Job, _ error: (any Error)?) throws {
        let now = clock.now
        try state.withLock { state in
            state.running -= 1
            state.roster.end(job.source)
            let hasGiven = state.flowing.remove(job.segment.id) != nil
            if error is RangeFetch.Misfit {
                state.map.revoke(job.segment.id)
            } else {
                state.map.release(job.segment.id)
            }
            if state.first == job.segment.id { state.first = nil }
            switch error {
            case nil: state.roster.succeed(job.source)
            case is Limit.Full: break
            case let misfit as RangeFetch.Misfit:
                // Digests can't go back.
                state.digest = state.digest?.anew
                if state.roster.fail(job.source, isFinal: true) { return }
                try SegmentedFetch.settle(misfit, in: &state)
            case let failure as CumulusError where failure.code != .disk:
                if hasGiven, failure.isBreak { state.roster.succeed(job.source) }
                let isDropped = state.roster.fail(job.source, isFinal: !failure.isBreak)
                if isDropped { return }
                state.plan.retreat(at: now)
                let hasOthers = state.roster.sources.contains { !$0.isDropped && $0.failures == 0 }
                if state.running == 0, !hasOthers || !failure.isBreak { throw failure }
            case let other?: throw other
            }
        }
    }

    /// The only source gave something else than a range: the one stream that can get on without may do it alone.
    private static func settle(_ misfit: RangeFetch.Misfit, in state: inout State) throws {
        guard !misfit.isChange else { throw misfit }
        state.plan.stayAlone()
        if let first = state.first { return state.map.extend(first) }
        if state.running == 0 { throw misfit }
    }

    // MARK: One connection

    private func work(_ job: Job) async -> Event {
        var isFramed = true
        do {
            let answer: RangeFetch.Answer
            if let there = job.answer { answer = there } else { answer = try await ask(job) }
            isFramed = answer.announced != nil
            let start = job.segment.start
            // A body is read to its end where that is near, so that its connection can be used again.
            let end = SegmentedFetch.end(of: answer, from: start)
            try await sources[job.source].read(answer) { chunk, place in
                try put(chunk, at: start + place, of: job.segment.id) || start + place + Int64(chunk.count) == end
            }
            return .ended(job, nil)
        } catch let failure as CumulusError where failure.code == .truncatedBody && !isFramed {
            // It ended as it should, and yet is not what its head says.
            return .ended(job, RangeFetch.Misfit(reason: failure.message, isChange: false))
        } catch {
            return .ended(job, error)
        }
    }

    /// Where in the file an answer's body ends.
    private static func end(of answer: RangeFetch.Answer, from start: Int64) -> Int64 {
        if case .part(let count, _) = answer.verdict { return start + count }
        return answer.announced.map { start + $0 } ?? .max
    }

    private func ask(_ job: Job) async throws -> RangeFetch.Answer {
        let known = state.withLock { $0.known[job.source] }
        let range = job.segment.rest
        let question = RangeQuestion(
            start: terms.base + range.lowerBound,
            end: terms.base + range.upperBound,
            isRanged: true,
            known: known,
            isConditional: terms.isConditional,
            isCovered: terms.isCovered
        )
        let fetch = sources[job.source]
        let answer = try await fetch.ask(question, mayWait: job.mayWait)
        guard case .part(_, let total) = answer.verdict else { throw try await fetch.refusal(answer, of: known) }
        if known == nil {
            guard total == terms.remote.length else {
                answer.drop()
                throw RangeFetch.Misfit(reason: "a mirror's file has another length", isChange: true)
            }
            let found = RemoteState(answer.head.headers, length: terms.remote.length)
            if found.condition != nil { state.withLock { $0.known[job.source] = found } }
        }
        return answer
    }

    /// Writes what of received bytes belongs to a segment.
    ///
    /// - Returns: Whether it wants more.
    private func put(_ chunk: ByteChunk, at place: Int64, of id: Int) throws -> Bool {
        try chunk.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let range = state.withLock { $0.map.take(bytes.count - offset, of: id) }
                guard !range.isEmpty, range.lowerBound == place + Int64(offset) else { return false }
                let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(range.length)])
                try part.write(piece, at: range.lowerBound)
                bringOn(piece, at: range.lowerBound)
                state.withLock { state in
                    state.map.commit(id, to: range.upperBound)
                    state.received += range.length
                    state.flowing.insert(id)
                }
                wrote(piece.count) { done }
                offset += piece.count
            }
            return state.withLock { $0.map[id] != nil }
        }
    }

    /// Brings the digest on by bytes that are the next of the file; others are read again at the end.
    private func bringOn(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
        let digest = state.withLock { state -> RunningDigest? in
            guard let digest = state.digest, !digest.isEmpty, digest.count == position else { return nil }
            state.digest = nil
            return digest
        }
        guard var digest else { return }
        digest.update(bytes)
        state.withLock { $0.digest = digest }
    }
}
