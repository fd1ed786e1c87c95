// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// Who fetches which segment, and what the end of a connection means for the others.
@Suite struct SegmentScheduleTests {
    private let now = ContinuousClock.now
    private let one = Origin(scheme: .https, host: "one.example")
    private let two = Origin(scheme: .https, host: "two.example")
    private static let broken = CumulusError(.truncatedBody, stage: .delivery, "it broke off")

    private func schedule(
        _ connections: Int? = 2,
        length: Int64 = 1000,
        mirrors: Bool = false,
        isCovered: Bool = false,
        digest: RunningDigest = RunningDigest([])
    ) -> SegmentSchedule {
        let terms = SegmentedFetch.Terms(
            connections: connections,
            perOrigin: 6,
            chunkSize: 10,
            base: 0,
            remote: RemoteState(entityTag: "\"v1\"", length: length),
            isCovered: isCovered,
            isConditional: true
        )
        let origins = mirrors ? [one, two] : [one]
        return SegmentSchedule(terms, origins: origins, map: SegmentMap(length: length), digest: digest, at: now)
    }

    private func begin(_ schedule: inout SegmentSchedule, to end: Int64 = 1000) throws -> SegmentSchedule.Job {
        let job = schedule.begin(at: 0, to: end)
        return try #require(job)
    }

    private func next(_ schedule: inout SegmentSchedule) throws -> SegmentSchedule.Job {
        let job = schedule.next(isFull: false)
        return try #require(job)
    }

    private func write(_ schedule: inout SegmentSchedule, _ count: Int, of job: SegmentSchedule.Job) {
        let range = schedule.take(count, of: job.segment.id)
        schedule.commit(range, of: job.segment.id)
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
        #expect(try begin(&schedule).segment.rest == 0..<500)
        let job = try next(&schedule)
        #expect(job.segment.rest == 500..<1000)
        #expect(!job.mayWait)
        #expect(schedule.next(isFull: false) == nil, "there are as many as were asked for")
    }

    @Test func anExtraConnectionIsLeftOutWhereThereIsNoSlot() throws {
        var schedule = schedule(2)
        let first = try begin(&schedule)
        #expect(schedule.next(isFull: true) == nil)
        #expect(
            settle(&schedule, first, .failed(SegmentScheduleTests.broken))
                == "fails: \(CumulusError.Code.truncatedBody)"
        )
        let only = schedule.next(isFull: true)
        #expect(only?.mayWait == true, "the only one waits for its slot")
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
        #expect(try next(&schedule).segment.rest == 600..<1000)
    }

    @Test func theLastToFailEndsIt() throws {
        var schedule = schedule(1)
        let job = try begin(&schedule)
        let refused = CumulusError(.status, stage: .validation, "refused")
        #expect(settle(&schedule, job, .failed(refused)) == "fails: \(CumulusError.Code.status)")
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
        #expect(settle(&schedule, second, .full) == "goes on")
        #expect(schedule.plan.allowed == 2)
    }

    @Test func bytesOfAnotherStateAreForgottenAndEndIt() throws {
        var schedule = schedule(2, digest: RunningDigest([.crc32]))
        let (_, second) = (try begin(&schedule), try next(&schedule))
        write(&schedule, 100, of: second)
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "stops: x")
        #expect(schedule.map.done == ByteRanges())
    }

    @Test func aServerWithoutRangesLeavesTheStreamThatRunsAlone() throws {
        var schedule = schedule(2)
        let (first, second) = (try begin(&schedule), try next(&schedule))
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on")
        #expect(schedule.map[first.segment.id]?.rest == 0..<1000)
        #expect(schedule.next(isFull: false) == nil)
    }

    @Test func aStreamThatEndsBeforeTheFileDoesCannotGetOnAlone() throws {
        var schedule = schedule(2)
        let (first, second) = (try begin(&schedule, to: 999), try next(&schedule))
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on", "one is still at it")
        #expect(schedule.next(isFull: false) == nil)
        #expect(settle(&schedule, first, .mismatch(.unreliable("y"))) == "stops: y")
    }

    @Test func aMirrorWithAnotherFileIsDropped() throws {
        var schedule = schedule(2, mirrors: true)
        let (_, second) = (try begin(&schedule), try next(&schedule))
        #expect(second.source == 1)
        #expect(settle(&schedule, second, .mismatch(.changed("x"))) == "goes on")
    }

    @Test func aMirrorMayKnowTheFileByAnotherTagWhereADigestCovers() {
        #expect(schedule(mirrors: true).known.map { $0 != nil } == [true, true])
        var covered = schedule(mirrors: true, isCovered: true)
        #expect(covered.known.map { $0 != nil } == [true, false])
        covered.learn(RemoteState(entityTag: "\"theirs\""), of: 1)
        #expect(covered.known[1]?.entityTag == "\"theirs\"")
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

    @Test func theLongestFileCanBeShared() throws {
        var schedule = schedule(2, length: .max)
        let (first, second) = (try begin(&schedule, to: .max), try next(&schedule))
        #expect(first.segment.rest.upperBound == second.segment.rest.lowerBound)
        #expect(second.segment.rest.upperBound == .max)
        #expect(settle(&schedule, second, .mismatch(.unreliable("x"))) == "goes on")
        #expect(schedule.map[first.segment.id]?.rest == 0..<Int64.max)
    }
}
