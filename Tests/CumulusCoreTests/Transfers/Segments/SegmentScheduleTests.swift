// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCore

/// Who fetches which segment, and what the end of a connection means for the others.
@Suite struct SegmentScheduleTests {
    private let now = ContinuousClock.now
    private static let broken = CumulusError(.truncatedBody, stage: .delivery, "it broke off")

    private func schedule(
        _ connections: Int? = 2,
        length: Int64 = 1000,
        chunkSize: Int64 = 10,
        digest: RunningDigest = RunningDigest([]),
        latency: Duration = .zero
    ) -> SegmentSchedule {
        var terms = SegmentedFetch.Terms(
            connections: connections,
            most: 6,
            chunkSize: chunkSize,
            base: 0,
            remote: RemoteState(entityTag: "\"v1\"", length: length),
            isCovered: false,
            isConditional: true
        )
        terms.latency = latency
        return SegmentSchedule(terms, map: SegmentMap(length: length), digest: digest, at: now)
    }

    private func begin(_ schedule: inout SegmentSchedule, to end: Int64 = 1000) throws -> SegmentSchedule.Job {
        let job = schedule.begin(at: 0, to: end, at: now)
        return try #require(job)
    }

    private func next(_ schedule: inout SegmentSchedule) throws -> SegmentSchedule.Job {
        let job = schedule.next(isFull: false, at: now)
        return try #require(job)
    }

    private func write(
        _ schedule: inout SegmentSchedule,
        _ count: Int,
        of job: SegmentSchedule.Job,
        at instant: ContinuousClock.Instant? = nil
    ) {
        let range = schedule.take(count, of: job.segment.id)
        schedule.commit(range, of: job.segment.id, at: instant ?? now)
    }

    /// The end of a connection, as a word.
    private func settle(
        _ schedule: inout SegmentSchedule,
        _ job: SegmentSchedule.Job,
        _ outcome: SegmentSchedule.Outcome
    ) -> String {
        switch schedule.settle(job, outcome, at: now) {
        case .goOn: "goes on"
        case .stop(let mismatch): "stops: \(mismatch.reason)"
        case .fail(let error): "fails: \((error as? CumulusError)?.code.description ?? "\(error)")"
        }
    }

    @Test func theFirstAnswerSharesTheFileWithTheOthers() throws {
        var schedule = schedule(2)
        #expect(try begin(&schedule).segment.remaining == 0..<500)
        let job = try next(&schedule)
        #expect(job.segment.remaining == 500..<1000)
        #expect(!job.mayWait)
        #expect(schedule.next(isFull: false, at: now) == nil, "there are as many as were asked for")
    }

    @Test func allConnectionsThatWereAskedForBeginAtOnce() throws {
        var schedule = schedule(16, length: 19 << 20, chunkSize: 4 << 20)
        var jobs = [try begin(&schedule, to: 19 << 20)]
        for _ in 1..<16 { jobs.append(try next(&schedule)) }
        let lengths = jobs.map(\.segment.remaining.length)
        #expect(lengths.allSatisfy { $0 <= 19 << 16 } && lengths.reduce(0, +) == 19 << 20)
        let more = schedule.takeNext(at: now)
        #expect(more == nil, "each is new, and none is slower than another")
    }

    @Test func aSlowFirstByteMustBeWorthIt() throws {
        var schedule = schedule(4, length: 3_000_000, latency: .milliseconds(400))
        let first = try begin(&schedule, to: 3_000_000)
        #expect(first.segment.remaining == 0..<3_000_000)
        let soon = schedule.takeNext(at: now)
        #expect(soon == nil, "the rate isn't known yet")
        let look = schedule.nextReview(at: now)
        #expect(look == now.advanced(by: .milliseconds(50)))
        // 10 MB/s: the remaining bytes take a quarter of a second, and another connection's first byte 0.4.
        write(&schedule, 500_000, of: first)
        let late = schedule.takeNext(at: look)
        #expect(late == nil)
    }

    @Test func othersShareWhatIsLeftAfterTheirFirstBytes() throws {
        var schedule = schedule(4, length: 40_500_000, latency: .milliseconds(400))
        let first = try begin(&schedule, to: 40_500_000)
        write(&schedule, 500_000, of: first)
        let look = now.advanced(by: .milliseconds(50))
        var jobs: [SegmentSchedule.Job] = []
        while let job = schedule.takeNext(at: look) { jobs.append(job) }
        let lengths = jobs.map(\.segment.remaining.length)
        // 40 MB at 10 MB/s each: the first one has delivered 4 MB before the others begin.
        #expect(lengths.allSatisfy { abs($0 - 9_000_000) < 1_000 }, "\(lengths)")
        #expect(schedule.map[first.segment.id]?.remaining.length == 40_000_000 - lengths.reduce(0, +))
        // While they wait for their first bytes, none of them is slow.
        let waiting = look.advanced(by: .milliseconds(390))
        write(&schedule, 3_900_000, of: first, at: waiting)
        let more = schedule.takeNext(at: waiting)
        #expect(more == nil)
    }

    @Test func aFirstResponseThatHangsIsDividedAfterASecond() throws {
        var schedule = schedule(2, length: 3_000_000, latency: .milliseconds(400))
        _ = try begin(&schedule, to: 3_000_000)
        let early = schedule.takeNext(at: now.advanced(by: .milliseconds(990)))
        #expect(early == nil)
        let job = schedule.takeNext(at: now.advanced(by: .seconds(1)))
        #expect(job?.segment.remaining == 1_500_000..<3_000_000)
    }

    @Test func aSlowConnectionsPieceIsGivenToAFastOne() throws {
        var schedule = schedule(2, length: 2_000_000)
        let (fast, slow) = (try begin(&schedule, to: 2_000_000), try next(&schedule))
        write(&schedule, 10_000, of: slow)
        write(&schedule, 1_000_000, of: fast)
        let later = now.advanced(by: .seconds(1))
        _ = schedule.settle(fast, .done, at: later)
        let job = schedule.takeNext(at: later)
        let taken = try #require(job)
        let left = try #require(schedule.map[slow.segment.id]).remaining
        #expect(
            left.upperBound == taken.segment.remaining.lowerBound && taken.segment.remaining.upperBound == 2_000_000
        )
        #expect(taken.segment.remaining.length > 4 * left.length, "both end at about the same time")
    }

    @Test func allOfAPieceIsTakenFromAConnectionThatHangs() throws {
        var schedule = schedule(2, length: 200_000)
        // The fast one's body ends early, so it can't continue over the other's segment.
        let (fast, hanging) = (try begin(&schedule, to: 199_999), try next(&schedule))
        write(&schedule, 100_000, of: fast)
        // A few bytes are left to it at first; some seconds later, none are.
        let later = now.advanced(by: .seconds(20))
        _ = schedule.settle(fast, .done, at: now.advanced(by: .seconds(1)))
        for second in 1...20 { schedule.review(at: now.advanced(by: .seconds(second))) }
        var end = 200_000 as Int64
        while let job = schedule.takeNext(at: later) {
            #expect(job.segment.remaining.upperBound == end)
            end = job.segment.remaining.lowerBound
            write(&schedule, Int(job.segment.remaining.length), of: job)
            _ = schedule.settle(job, .done, at: later.advanced(by: .milliseconds(1)))
        }
        #expect(schedule.map.isComplete)
        #expect(schedule.map[hanging.segment.id] == nil)
    }

    @Test func whatEndsSoonIsLeftAlone() throws {
        var schedule = schedule(2, length: 200_000, chunkSize: 4 << 20)
        let job = try begin(&schedule, to: 200_000)
        #expect(job.segment.remaining == 0..<200_000, "it isn't worth two connections")
        write(&schedule, 160_000, of: job)
        let more = schedule.takeNext(at: now.advanced(by: .seconds(1)))
        #expect(more == nil, "a quarter of a second is left")
    }

    @Test func anotherConnectionIsOpenedForALargePieceOnly() throws {
        var schedule = schedule(nil, length: 9 << 20, chunkSize: 4 << 20)
        let first = try begin(&schedule, to: 9 << 20)
        write(&schedule, 2 << 20, of: first)
        schedule.review(at: now.advanced(by: .seconds(1)))
        #expect(schedule.plan.allowed == 2)
        let more = schedule.takeNext(at: now.advanced(by: .seconds(1)))
        #expect(more == nil, "3.5 MiB are too few")
    }

    @Test func anExtraConnectionIsLeftOutWhereThereIsNoSlot() throws {
        var schedule = schedule(2)
        let first = try begin(&schedule)
        #expect(schedule.next(isFull: true, at: now) == nil)
        #expect(
            settle(&schedule, first, .failed(SegmentScheduleTests.broken))
                == "fails: \(CumulusError.Code.truncatedBody)"
        )
        let only = schedule.next(isFull: true, at: now)
        #expect(only?.mayWait == true, "the only one waits for its slot")
    }

    @Test func extraConnectionRefusedByLimitIsTriedAgainAtNextReview() throws {
        var schedule = schedule(3)
        let (_, second) = (try begin(&schedule), try next(&schedule))
        let third = try next(&schedule)
        #expect(settle(&schedule, second, .limitReached) == "goes on")
        #expect(schedule.next(isFull: false, at: now) == nil)
        schedule.review(at: now.advanced(by: .seconds(1)))
        let again = try next(&schedule)
        #expect(!again.mayWait)
        #expect(settle(&schedule, again, .limitReached) == "goes on")
        #expect(settle(&schedule, third, .done) == "goes on")
        #expect(schedule.next(isFull: false, at: now) != nil, "another connection has ended")
    }

    @Test func whatOneLeavesIsMissingAgain() throws {
        var schedule = schedule(2)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        write(&schedule, 100, of: second)
        #expect(settle(&schedule, second, .failed(SegmentScheduleTests.broken)) == "goes on")
        #expect(schedule.map.done == ByteRanges([500..<600]))
        #expect(schedule.plan.allowed == 1)
        write(&schedule, 500, of: first)
        #expect(settle(&schedule, first, .done) == "goes on")
        #expect(try next(&schedule).segment.remaining == 600..<1000)
    }

    @Test func theLastToFailEndsIt() throws {
        var schedule = schedule(1)
        let job = try begin(&schedule)
        let refused = CumulusError(.status, stage: .validation, "refused")
        #expect(settle(&schedule, job, .failed(refused)) == "fails: \(CumulusError.Code.status)")
    }

    @Test func refusedAdditionalConnectionIsFollowedByOneAloneEvenIfItIsTheLastToEnd() throws {
        var schedule = schedule(2)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        let refused = CumulusError(.status, stage: .validation, "refused")
        #expect(settle(&schedule, first, .done) == "goes on")
        #expect(settle(&schedule, second, .failed(refused)) == "goes on")
        let alone = try next(&schedule)
        #expect(alone.mayWait)
        #expect(settle(&schedule, alone, .failed(refused)) == "fails: \(CumulusError.Code.status)")
    }

    @Test func additionalConnectionsThatAreTheLastToFailAreFollowedOnlyWhileBytesArrive() throws {
        var schedule = schedule(3)
        var jobs = [try begin(&schedule), try next(&schedule), try next(&schedule)]
        write(&schedule, 10, of: jobs[0])
        for round in 1...2 {
            for job in jobs.dropLast() {
                #expect(settle(&schedule, job, .failed(SegmentScheduleTests.broken)) == "goes on")
            }
            let last = settle(&schedule, jobs[jobs.count - 1], .failed(SegmentScheduleTests.broken))
            guard round == 1 else {
                #expect(last.hasPrefix("fails"))
                return
            }
            #expect(last == "goes on")
            jobs = [try next(&schedule)]
        }
    }

    @Test func aDiskAndACancelEndItWhoeverElseRuns() throws {
        for error: any Error in [CumulusError(.disk, stage: .delivery, ""), CancellationError()] {
            var schedule = schedule(2)
            let (_, second) = (try begin(&schedule), try next(&schedule))
            #expect(settle(&schedule, second, .failed(error)).hasPrefix("fails"))
        }
    }

    @Test func aConnectionWithoutASlotChangesNothing() throws {
        var schedule = schedule(2)
        let (_, second) = (try begin(&schedule), try next(&schedule))
        #expect(settle(&schedule, second, .limitReached) == "goes on")
        #expect(schedule.plan.allowed == 2)
    }

    @Test func changedFileStopsTheDownloadOnceTheFirstResponseHasEnded() throws {
        var schedule = schedule(2, digest: RunningDigest([.crc32]))
        let (first, second) = (try begin(&schedule), try next(&schedule))
        write(&schedule, 100, of: second)
        write(&schedule, 500, of: first)
        #expect(settle(&schedule, first, .done) == "goes on")
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "stops: x")
        #expect(schedule.map.done == ByteRanges([0..<500]))
    }

    @Test func changedFileStopsTheDownloadIfTheFirstResponseEndsBeforeTheFile() throws {
        var schedule = schedule(2)
        let (_, second) = (try begin(&schedule, to: 999), try next(&schedule))
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "stops: x")
    }

    @Test func firstResponseContinuesAloneWhenAnotherConnectionHasAChangedTag() throws {
        var schedule = schedule(3)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        let third = try next(&schedule)
        write(&schedule, 100, of: third)
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "goes on")
        #expect(schedule.map[first.segment.id]?.remaining == 0..<1000)
        #expect(schedule.map.done == ByteRanges([667..<767]), "the third response has the tag of the first")
        let withdrawn = schedule.take(100, of: third.segment.id)
        #expect(withdrawn.isEmpty)
        #expect(settle(&schedule, third, .done) == "goes on")
        let more = schedule.takeNext(at: now)
        #expect(more == nil)
        write(&schedule, 1000, of: first)
        #expect(schedule.map.isComplete)
    }

    @Test func firstResponseThatBreaksOffAloneFailsAlthoughAWithdrawnConnectionRuns() throws {
        var schedule = schedule(3)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        _ = try next(&schedule)
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "goes on")
        write(&schedule, 100, of: first)
        #expect(
            settle(&schedule, first, .failed(SegmentScheduleTests.broken))
                == "fails: \(CumulusError.Code.truncatedBody)"
        )
        #expect(schedule.map.done == ByteRanges([0..<100]))
    }

    @Test func firstResponseContinuesOverNeighborsThatHaveNotDeliveredAByte() throws {
        var schedule = schedule(4)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        let (third, fourth) = (try next(&schedule), try next(&schedule))
        write(&schedule, 249, of: first)
        #expect(schedule.map[second.segment.id] != nil, "its start has not been reached")
        write(&schedule, 1, of: first)
        #expect(schedule.map[second.segment.id] == nil)
        #expect(schedule.map[first.segment.id]?.remaining == 250..<500)
        let late = schedule.take(10, of: second.segment.id)
        #expect(late.isEmpty, "its response comes too late")
        write(&schedule, 1, of: fourth)
        write(&schedule, 500, of: first)
        #expect(schedule.map[third.segment.id] == nil)
        #expect(schedule.map[first.segment.id] == nil, "the fourth has begun")
        #expect(schedule.map.done == ByteRanges([0..<751]))
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "goes on", "its bytes aren't needed")
        #expect(settle(&schedule, first, .done) == "goes on")
        write(&schedule, 249, of: fourth)
        #expect(schedule.map.isComplete)
    }

    @Test func additionalConnectionStopsAtItsSilentNeighbor() throws {
        var schedule = schedule(3)
        let (_, second) = (try begin(&schedule), try next(&schedule))
        let third = try next(&schedule)
        write(&schedule, 1000, of: second)
        #expect(schedule.map[second.segment.id] == nil)
        #expect(schedule.map[third.segment.id] == third.segment)
    }

    @Test func missingBytesAreRequestedWhileAConnectionIsSilent() throws {
        var schedule = schedule(3)
        let first = try begin(&schedule)
        _ = try next(&schedule)
        let third = try next(&schedule)
        write(&schedule, 1, of: third)
        write(&schedule, 334, of: first)
        write(&schedule, 333, of: first)
        #expect(settle(&schedule, first, .done) == "goes on")
        #expect(settle(&schedule, third, .failed(SegmentScheduleTests.broken)) == "goes on")
        let alone = try next(&schedule)
        #expect(alone.mayWait && alone.segment.remaining == 668..<1000)
        write(&schedule, 332, of: alone)
        #expect(schedule.map.isComplete)
    }

    /// The other connections never deliver a byte, or reach servers with another tag.
    @Test(arguments: 0..<100)
    func firstResponseWritesEveryByteOnceIfNoOtherConnectionDelivers(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        var schedule = schedule(Int(random.next() % 5) + 2, length: 400)
        let first = try begin(&schedule, to: 400)
        var others: [SegmentSchedule.Job] = []
        var writes = [Int](repeating: 0, count: 400)
        while let job = schedule.takeNext(at: now) { others.append(job) }
        while !schedule.map.isComplete {
            if random.next() % 8 == 0, let index = others.indices.randomElement(using: &random) {
                let job = others.remove(at: index)
                #expect(settle(&schedule, job, .mismatch(.changed("x"))) == "goes on")
            }
            let range = schedule.take(Int(random.next() % 40) + 1, of: first.segment.id)
            try #require(!range.isEmpty, "the first response has been cut")
            for position in range { writes[Int(position)] += 1 }
            schedule.commit(range, of: first.segment.id, at: now)
        }
        #expect(writes.allSatisfy { $0 == 1 })
    }

    /// Connections are silent, deliver bytes and break off at random.
    @Test(arguments: 0..<100)
    func noByteIsWrittenTwiceWhileConnectionsAreSilent(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        var schedule = schedule(Int(random.next() % 5) + 2, length: 400)
        var running = [(job: try begin(&schedule, to: 400), isSilent: false)]
        var writes = [Int](repeating: 0, count: 400)
        var course = "goes on"
        while !schedule.map.isComplete, course == "goes on" {
            if random.next() % 4 == 0, let job = schedule.takeNext(at: now) {
                running.append((job, !job.mayWait && random.next() % 2 == 0))
            }
            guard let index = running.indices.randomElement(using: &random) else { continue }
            let (job, isSilent) = running[index]
            let range = isSilent ? 0..<0 : schedule.take(Int(random.next() % 12) + 1, of: job.segment.id)
            for position in range { writes[Int(position)] += 1 }
            if !range.isEmpty { schedule.commit(range, of: job.segment.id, at: now) }
            guard schedule.map[job.segment.id] == nil || random.next() % 32 == 0 else { continue }
            if isSilent, random.next() % 8 > 0 { continue }
            running.remove(at: index)
            let isWhole = schedule.map[job.segment.id] == nil && !isSilent
            course = settle(&schedule, job, isWhole ? .done : .failed(SegmentScheduleTests.broken))
        }
        #expect(writes.allSatisfy { $0 <= 1 })
        #expect(schedule.map.done.count == writes.reduce(0) { $0 + Int64($1) })
        #expect(schedule.map.isComplete || course.hasPrefix("fails"))
    }

    @Test func aServerWithoutRangesLeavesTheStreamThatRunsAlone() throws {
        var schedule = schedule(2)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on")
        #expect(schedule.map[first.segment.id]?.remaining == 0..<1000)
        #expect(schedule.next(isFull: false, at: now) == nil)
    }

    @Test func aStreamThatEndsBeforeTheFileDoesCannotGetOnAlone() throws {
        var schedule = schedule(2)
        let (first, second) = (try begin(&schedule, to: 999), try next(&schedule))
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on", "one is still at it")
        #expect(schedule.next(isFull: false, at: now) == nil)
        #expect(settle(&schedule, first, .mismatch(.unreliable("y"))) == "stops: y")
    }

    @Test func theDigestIsLentForTheNextBytesOnly() throws {
        var schedule = schedule(digest: RunningDigest([.crc32]))
        let wrong = schedule.lendDigest(at: 1)
        #expect(wrong == nil)
        let lent = schedule.lendDigest(at: 0)
        let again = schedule.lendDigest(at: 0)
        #expect(again == nil, "it is brought on by one at a time")
        schedule.giveBack(try #require(lent))
        #expect(schedule.digest?.count == 0)
    }

    @Test func mismatchClearsALentDigest() throws {
        var schedule = schedule(2, digest: RunningDigest([.crc32]))
        let (first, second) = (try begin(&schedule), try next(&schedule))
        let lent = schedule.lendDigest(at: 0)
        var digest = try #require(lent)
        [UInt8](repeating: 1, count: 100).withUnsafeBytes { digest.update($0) }
        write(&schedule, 100, of: first)
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on")
        schedule.giveBack(digest)
        #expect(schedule.digest?.count == 0, "it is computed again from the file")
        let late = schedule.lendDigest(at: 100)
        #expect(late == nil)
    }

    @Test func theLongestFileCanBeShared() throws {
        var schedule = schedule(2, length: .max)
        let (first, second) = (try begin(&schedule, to: .max), try next(&schedule))
        #expect(first.segment.remaining.upperBound == second.segment.remaining.lowerBound)
        #expect(second.segment.remaining.upperBound == .max)
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on")
        #expect(schedule.map[first.segment.id]?.remaining == 0..<Int64.max)
    }
}

extension SegmentSchedule {
    /// The next job, for `#expect` and `#require`, which can't call mutating functions.
    fileprivate mutating func takeNext(at now: ContinuousClock.Instant) -> Job? { next(isFull: false, at: now) }
}
