// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Fetches the missing parts of a file over several connections at once.
///
/// Each connection has its own task. The tasks share the map, and the task that called ``run(_:from:)`` assigns the
/// work. An additional connection never waits at a limit: it isn't opened if no slot is free. So a download never waits
/// for itself, and one slot is enough for it to make progress.
final class SegmentedFetch: Sendable {
    /// The terms, which don't change during the download.
    struct Terms: Sendable {
        /// The requested number of connections.
        var connections: Int?
        /// How many there are at most if none was requested.
        var most: Int
        var chunkSize: Int64
        /// The file's start in the remote file.
        var base: Int64
        /// The state that the bytes must be from.
        var remote: RemoteState
        /// Whether a digest was requested, which verifies all bytes in the end.
        var isCovered: Bool
        /// Whether `If-Range` is sent.
        var isConditional: Bool
        /// The time until the head of the first response.
        var latency = Duration.zero

        /// The smallest share of a gap that gets a connection of its own.
        var smallestShare: Int64 { connections == nil ? chunkSize : min(chunkSize, 256 << 10) }
    }

    private typealias Job = SegmentSchedule.Job

    private enum Event: Sendable {
        case ended(Job, SegmentSchedule.Outcome)
        case tick
    }

    private let source: RangeFetch
    private let terms: Terms
    private let part: PartFile
    private let clock: any RequestClock
    private let limit: Limit
    /// Called after bytes are written, with the number of those that did not exist before; `done` returns the existing
    /// bytes.
    private let onWrite: @Sendable (_ count: Int, _ done: () -> ByteRanges) -> Void
    private let state: Mutex<SegmentSchedule>

    init(
        _ source: RangeFetch,
        _ terms: Terms,
        into part: PartFile,
        map: SegmentMap,
        digest: RunningDigest,
        onWrite: @escaping @Sendable (_ count: Int, _ done: () -> ByteRanges) -> Void
    ) {
        self.source = source
        self.terms = terms
        self.part = part
        self.onWrite = onWrite
        let loop = source.pipeline.attemptLoop
        clock = loop.clock
        limit = loop.stages.limits?.limit ?? Limit(limiter: nil)
        state = Mutex(SegmentSchedule(terms, map: map, digest: digest, at: clock.now))
    }

    /// The existing bytes.
    var done: ByteRanges { state.withLock(\.map.done) }

    /// The digests of the bytes received in order from the start.
    var digest: RunningDigest? { state.withLock(\.digest) }

    /// Fetches all missing bytes; when it returns or throws, none of its connections is left.
    ///
    /// - Parameters:
    ///   - unread: The first response, its body unread.
    ///   - start: The start of its body in the file.
    /// - Returns: The reason why it can't continue, if the file has changed or ranges are unavailable; else `nil`.
    /// - Throws: ``FileProblem``, the ``CumulusError`` that ended the last connection, `CancellationError`.
    func run(_ unread: RangeFetch.UnreadResponse, from start: Int64) async throws -> RangeMismatch? {
        try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            if let job = state.withLock({
                $0.begin(at: start, to: SegmentedFetch.end(of: unread, from: start), at: clock.now)
            }) {
                group.addTask { await self.work(job, unread) }
            } else {
                unread.drop()
            }
            group.addTask { await self.tick() }
            fill(&group)
            while !state.withLock(\.map.isComplete) {
                guard let event = try await group.next() else { break }
                try Task.checkCancellation()
                let now = clock.now
                switch event {
                case .tick:
                    state.withLock { $0.review(at: now) }
                    group.addTask { await self.tick() }
                case .ended(let job, let outcome):
                    switch state.withLock({ $0.settle(job, outcome, at: now) }) {
                    case .goOn: break
                    case .stop(let mismatch): return mismatch
                    case .fail(let error): throw error
                    }
                }
                fill(&group)
            }
            return nil
        }
    }

    private func tick() async -> Event {
        let next = state.withLock { $0.nextReview(at: clock.now) }
        try? await clock.sleep(until: next)
        return .tick
    }

    private func fill(_ group: inout ThrowingTaskGroup<Event, any Error>) {
        while true {
            let isFull = limit.limiter?.isFull ?? false
            guard let job = state.withLock({ $0.next(isFull: isFull, at: clock.now) }) else { return }
            group.addTask { await self.work(job) }
        }
    }

    // MARK: One connection

    private func work(_ job: Job, _ unread: RangeFetch.UnreadResponse? = nil) async -> Event {
        do {
            return .ended(job, try await fetch(job, unread))
        } catch is LimitReached {
            return .ended(job, .limitReached)
        } catch {
            return .ended(job, .failed(error))
        }
    }

    /// Requests a segment, unless its response has already arrived, and writes its bytes.
    private func fetch(_ job: Job, _ there: RangeFetch.UnreadResponse?) async throws -> SegmentSchedule.Outcome {
        let unread: RangeFetch.UnreadResponse
        if let there {
            unread = there
        } else {
            unread = try await source.send(rangeRequest(job), mayWait: job.mayWait)
            guard case .part = unread.check else {
                return .mismatch(try await source.mismatch(unread, of: terms.remote))
            }
        }
        let start = job.segment.start
        // A body is read to its end if that is near, so that its connection can be reused.
        let end = SegmentedFetch.end(of: unread, from: start)
        do {
            let mismatch = try await source.read(unread) { chunk, place in
                try put(chunk, at: start + place, of: job.segment.id) || start + place + Int64(chunk.count) == end
            }
            return mismatch.map { .mismatch($0) } ?? .done
        } catch let failure as CumulusError where failure.code == .truncatedBody && unread.announced == nil {
            // It ended normally, and yet doesn't match its head.
            return .mismatch(.unreliable(failure.message))
        }
    }

    /// The end of a response's body in the file; the announced length may overflow.
    private static func end(of unread: RangeFetch.UnreadResponse, from start: Int64) -> Int64 {
        var count = unread.announced
        if case .part(let length, _) = unread.check { count = length }
        guard let count, case let (end, overflows) = start.addingReportingOverflow(count), !overflows else {
            return .max
        }
        return end
    }

    private func rangeRequest(_ job: Job) -> RangeRequest {
        let range = job.segment.remaining
        return RangeRequest(
            start: terms.base + range.lowerBound,
            end: terms.base + range.upperBound,
            isRanged: true,
            known: terms.remote,
            isConditional: terms.isConditional,
            isCovered: terms.isCovered
        )
    }

    /// Writes the received bytes that belong to a segment.
    ///
    /// - Returns: Whether it wants more.
    private func put(_ chunk: ByteChunk, at place: Int64, of id: Int) throws -> Bool {
        try chunk.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let range = state.withLock { $0.take(bytes.count - offset, of: id) }
                guard !range.isEmpty, range.lowerBound == place + Int64(offset) else { return false }
                let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(range.length)])
                try part.write(piece, at: range.lowerBound)
                updateDigest(piece, at: range.lowerBound)
                let count = state.withLock { $0.commit(range, of: id, at: clock.now) }
                onWrite(Int(count)) { done }
                offset += piece.count
            }
            return state.withLock { $0.map[id] != nil }
        }
    }

    /// Updates the digest with the next bytes of the file; others are read again at the end.
    private func updateDigest(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
        guard var digest = state.withLock({ $0.lendDigest(at: position) }) else { return }
        digest.update(bytes)
        let brought = digest
        state.withLock { $0.giveBack(brought) }
    }
}
