// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// The request of a download in each of its states, and the consequence of each answer.
@Suite struct DownloadPlanTests {
    private static let tagged: HTTPFields = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
    private static let state = RemoteState(entityTag: "\"v1\"", length: 1000)

    /// A plan after an earlier download's record.
    private static func resumed(
        _ done: [Range<Int64>],
        of wanted: Range<Int64>? = nil,
        _ remote: RemoteState = state,
        checksums: [String] = [],
        isCovered: Bool = false
    ) -> DownloadPlan {
        var plan = DownloadPlan(wanted: wanted, isCovered: isCovered)
        plan.resume(
            DownloadRecord(
                place: "",
                wanted: wanted.map { DownloadRecord.Done(start: $0.lowerBound, end: $0.upperBound) },
                remote: remote,
                checksums: checksums,
                done: done.map { DownloadRecord.Done(start: $0.lowerBound, end: $0.upperBound) }
            )
        )
        return plan
    }

    private func step(
        _ plan: inout DownloadPlan,
        _ verdict: RangeCheck,
        _ headers: HTTPFields = tagged
    ) -> DownloadPlan.Step {
        let rangeRequest = plan.rangeRequest
        return plan.step(after: verdict, to: rangeRequest, headers)
    }

    private func begin(
        _ plan: inout DownloadPlan,
        _ verdict: RangeCheck,
        _ headers: HTTPFields = tagged
    ) throws -> Int64 {
        guard case .receive(let reception) = step(&plan, verdict, headers) else {
            Issue.record("nothing is received")
            return -1
        }
        return plan.begin(reception, headers)
    }

    // MARK: What to ask

    @Test func aFreshDownloadAsksForTheWhole() {
        let plan = DownloadPlan(wanted: nil, isCovered: true)
        #expect(plan.phase == .empty)
        #expect(plan.rangeRequest == .whole)
        #expect(plan.end == nil)
        #expect(plan.length == nil)
    }

    @Test func aFreshDownloadOfARangeAsksForItWithoutACondition() {
        let rangeRequest = DownloadPlan(wanted: 100..<200, isCovered: true).rangeRequest
        #expect(rangeRequest.range == "bytes=100-199")
        #expect(rangeRequest.condition == nil)
        #expect(rangeRequest.known == nil)
    }

    @Test func bytesThatAreKnownByATagAreGoneOnWith() {
        let plan = DownloadPlanTests.resumed([0..<400])
        #expect(plan.phase == .partial)
        #expect(plan.rangeRequest.range == "bytes=400-")
        #expect(plan.rangeRequest.condition == "\"v1\"")
        #expect(plan.rangeRequest.known == DownloadPlanTests.state)
        #expect(!plan.rangeRequest.isCovered)
        #expect(DownloadPlanTests.resumed([0..<400], isCovered: true).rangeRequest.isCovered)
    }

    @Test func bytesOfARangeAreCountedFromItsFirst() {
        let plan = DownloadPlanTests.resumed([0..<30], of: 100..<200)
        #expect(plan.rangeRequest.range == "bytes=130-199")
        #expect(plan.next == 130)
        #expect(plan.length == 100)
        #expect(plan.end == 200)
    }

    @Test func aRangeEndsWhereTheFileDoes() {
        #expect(DownloadPlanTests.resumed([0..<30], of: 900..<2000).end == 1000)
    }

    @Test func bytesThatNobodyCanNameAreNotGoneOnWith() {
        let nameless = RemoteState(length: 1000)
        let plan = DownloadPlanTests.resumed([0..<400], nameless)
        #expect(plan.phase == .unversioned)
        #expect(plan.rangeRequest.range == nil)
        #expect(DownloadPlanTests.resumed([0..<30], of: 100..<200, nameless).rangeRequest.range == "bytes=100-199")
    }

    @Test func whereAllIsThereTheLastByteIsAskedForAgain() {
        let plan = DownloadPlanTests.resumed([0..<1000])
        #expect(plan.phase == .whole)
        #expect(plan.rangeRequest.range == "bytes=999-")
    }

    @Test func piecesBehindAGapDoNotMoveTheBeginning() {
        let plan = DownloadPlanTests.resumed([100..<400])
        #expect(plan.phase == .partial)
        #expect(plan.count == 300)
        #expect(plan.rangeRequest.range == "bytes=0-")
    }

    @Test func aServerThatCannotBeTrustedIsAskedForTheWhole() {
        var (known, fresh) = (DownloadPlanTests.resumed([0..<400]), DownloadPlan(wanted: 100..<200, isCovered: false))
        known.avoidRanges()
        fresh.avoidRanges()
        #expect(known.rangeRequest.range == nil)
        #expect(fresh.rangeRequest.range == nil)
        fresh.startOver(after: .changed(""))
        #expect(fresh.rangeRequest.range == nil, "and stays untrusted")
    }

    // MARK: What answers mean

    @Test func thePartThatWasAskedForIsAppended() throws {
        var plan = DownloadPlanTests.resumed([0..<400])
        #expect(
            step(&plan, .part(count: 600, total: 1000))
                == .receive(.init(start: 400, total: 1000, isPart: true, startsOver: false))
        )
        #expect(try begin(&plan, .part(count: 600, total: 1000)) == 0)
        #expect(plan.position == 400)
        #expect(plan.resumed == 400)
    }

    @Test func aPartOfAFileThatNobodyCanNameTakesThePlaceOfAll() throws {
        var plan = DownloadPlanTests.resumed([0..<30], of: 100..<200, RemoteState(length: 1000))
        #expect(try begin(&plan, .part(count: 100, total: 1000)) == 30, "bytes that are the same are not written again")
        #expect(plan.position == 0)
        #expect(plan.resumed == 0)
        #expect(plan.remote.entityTag == "\"v1\"")
    }

    @Test func theWholeTakesThePlaceOfAll() throws {
        var plan = DownloadPlanTests.resumed([0..<400])
        #expect(try begin(&plan, .whole(length: 2000), [.eTag: "\"v2\""]) == 400)
        #expect(plan.phase == .empty)
        #expect(plan.remote == RemoteState(entityTag: "\"v2\"", length: 2000))
        #expect(plan.end == 2000)
    }

    @Test func theWholeOfTheSameFileIsAskedForAsARangeOnceMore() {
        var plan = DownloadPlanTests.resumed([0..<400])
        #expect(step(&plan, .whole(length: 1000)) == .requestAgain)
        #expect(plan.ranges == .unconditional)
        #expect(plan.rangeRequest.range == "bytes=400-")
        #expect(plan.rangeRequest.condition == nil)
        #expect(plan.rangeRequest.known == DownloadPlanTests.state, "it still has to prove it")
        let whole = DownloadPlan.Reception(start: 0, total: 1000, isPart: false, startsOver: true)
        #expect(step(&plan, .whole(length: 1000)) == .receive(whole), "and not a third time")
    }

    @Test(
        arguments: [
            (1001, [.eTag: "\"v1\""]), (1000, [.eTag: "\"v2\""]), (1000, [:]), (nil, [.eTag: "\"v1\""]),
            (1000, [.eTag: "\"v1\"", .acceptRanges: "None"]),
        ] as [(Int64?, HTTPFields)]
    )
    func theWholeOfAnotherFileIsTaken(length: Int64?, headers: HTTPFields) {
        var plan = DownloadPlanTests.resumed([0..<400])
        let whole = DownloadPlan.Reception(start: 0, total: length, isPart: false, startsOver: true)
        #expect(step(&plan, .whole(length: length), headers) == .receive(whole))
    }

    @Test func otherAnswersLeadWhereTheirVerdictSays() {
        var plan = DownloadPlanTests.resumed([0..<400])
        #expect(step(&plan, .complete) == .complete)
        #expect(step(&plan, .failed) == .fail)
        #expect(step(&plan, .changed("x")) == .startOver(.changed("x")))
        #expect(step(&plan, .unreliable("y")) == .startOver(.unreliable("y")))
        #expect(plan.count == 400, "nothing is forgotten until it is begun anew")
    }

    @Test func beginningAnewForgetsTheBytesAndKeepsWhatIsKnownOfTheServer() {
        var plan = DownloadPlanTests.resumed([0..<400, 600..<700])
        _ = step(&plan, .whole(length: 1000))
        plan.startOver(after: .changed(""))
        #expect(plan.phase == .empty)
        #expect(plan.resumed == 0)
        #expect(plan.remote == RemoteState())
        #expect(plan.ranges == .conditional)
        plan.startOver(after: .unreliable(""))
        #expect(plan.ranges == .never)
    }

    @Test("the reason why received bytes are not used is the last one, and there is none without bytes")
    func restartReasons() throws {
        var fresh = DownloadPlan(wanted: nil, isCovered: false)
        _ = try begin(&fresh, .whole(length: 1000))
        #expect(fresh.restartReason == nil)
        var changed = DownloadPlanTests.resumed([0..<400])
        _ = try begin(&changed, .whole(length: 900))
        #expect(changed.restartReason == "the file had 1000 bytes, and now has 900")
        var ignored = DownloadPlanTests.resumed([0..<400])
        ignored.avoidRanges()
        _ = try begin(&ignored, .whole(length: 1000))
        #expect(ignored.restartReason == "the server's ranges can't be trusted")
        var mismatched = DownloadPlanTests.resumed([0..<400])
        mismatched.startOver(after: .changed("a precondition failed (412)"))
        _ = try begin(&mismatched, .whole(length: 1000))
        #expect(mismatched.restartReason == "a precondition failed (412)")
        var empty = DownloadPlan(wanted: nil, isCovered: false)
        empty.startOver(after: .unreliable("the server sent a part (206) that was not requested"))
        #expect(empty.restartReason == nil)
        var distrusted = DownloadPlanTests.resumed([0..<400])
        distrusted.avoidRanges()
        _ = try begin(&distrusted, .whole(length: 900))
        #expect(distrusted.restartReason == "the file had 1000 bytes, and now has 900")
        var adopting = DownloadPlan(wanted: nil, isCovered: false)
        adopting.note(unusable: "the part file has no valid record")
        #expect(adopting.restartReason != nil)
        adopting.resume(
            DownloadRecord(
                place: "",
                wanted: nil,
                remote: DownloadPlanTests.state,
                checksums: [],
                done: [DownloadRecord.Done(start: 0, end: 400)]
            )
        )
        #expect(adopting.restartReason == nil)
    }

    @Test func itIsCompleteWhereTheBytesReachTheEnd() throws {
        var plan = DownloadPlan(wanted: 100..<200, isCovered: false)
        let part = DownloadPlan.Reception(start: 100, total: nil, isPart: true, startsOver: true)
        #expect(plan.begin(part, DownloadPlanTests.tagged) == 0)
        plan.advance(to: 99)
        #expect(!plan.isComplete(after: part))
        plan.advance(to: 100)
        #expect(plan.isComplete(after: part))
    }

    @Test("a part of an unknown length may be any part")
    func partOfUnknownLength() throws {
        var plan = DownloadPlanTests.resumed([0..<400], RemoteState(entityTag: "\"v1\""))
        guard case .receive(let reception) = step(&plan, .part(count: 600, total: nil)) else {
            Issue.record("nothing is received")
            return
        }
        #expect(!plan.isComplete(after: reception))
    }

    @Test func theWholeIsCompleteWhateverItsLength() {
        let plan = DownloadPlan(wanted: nil, isCovered: false)
        #expect(plan.isComplete(after: .init(start: 0, total: nil, isPart: false, startsOver: true)))
    }

    // MARK: What is kept

    @Test func aRecordHasAllBytesThatAreThere() {
        var plan = DownloadPlanTests.resumed([0..<10, 600..<700], checksums: ["crc32:cbf43926", "nonsense"])
        plan.advance(to: 50)
        let record = plan.record(of: "here")
        #expect(record.place == "here")
        #expect(record.ranges == ByteRanges([0..<50, 600..<700]))
        #expect(record.checksums == plan.declared.map(\.description))
        #expect(plan.canResume(record))
        #expect(!DownloadPlan(wanted: 0..<1000, isCovered: false).canResume(record))
        plan.advance(to: ByteRanges([0..<80, 900..<1000]))
        #expect(plan.position == 80)
        #expect(plan.count == 180)
    }

    // MARK: The largest numbers

    @Test func theLastByteThatCanBeCountedCanBeAskedFor() throws {
        let wanted = Int64.max - 1..<Int64.max
        var plan = DownloadPlan(wanted: wanted, isCovered: false)
        #expect(plan.rangeRequest.range == "bytes=9223372036854775806-9223372036854775806")
        #expect(try begin(&plan, .part(count: 1, total: .max)) == 0)
        #expect(plan.length == 1)
        plan.advance(to: 1)
        #expect(plan.next == .max)
        #expect(plan.phase == .whole)
        #expect(plan.rangeRequest.range == "bytes=9223372036854775806-9223372036854775806")
        #expect(plan.isComplete(after: .init(start: .max - 1, total: .max, isPart: true, startsOver: true)))
    }

    @Test func aLengthThatCanJustBeCountedIsTaken() throws {
        var plan = DownloadPlanTests.resumed([0..<Int64.max - 1], RemoteState(entityTag: "\"v1\"", length: .max))
        #expect(plan.rangeRequest.range == "bytes=9223372036854775806-")
        #expect(try begin(&plan, .part(count: 1, total: .max)) == 0)
        #expect(plan.length == .max)
        plan.advance(to: .max)
        #expect(plan.phase == .whole)
        #expect(plan.record(of: "").ranges.count == .max)
        plan = DownloadPlan(wanted: nil, isCovered: false)
        #expect(try begin(&plan, .whole(length: .max)) == 0)
        #expect(plan.end == .max)
    }

    @Test("the cookies of later responses belong to the same source") func cookiesOfLaterResponses() throws {
        func source(_ cookies: CookieChanges.Digest...) -> ResponseSource {
            ResponseSource(user: StorePartition.Parts(), cookies: cookies, target: nil, call: .next())
        }
        var plan = DownloadPlan(wanted: nil, isCovered: false)
        var reception = DownloadPlan.Reception(start: 0, total: 1000, isPart: false, startsOver: true)
        _ = plan.begin(reception, DownloadPlanTests.tagged, from: source([1]))
        (reception.start, reception.isPart, reception.startsOver) = (400, true, false)
        _ = plan.begin(reception, DownloadPlanTests.tagged, from: source([2], [1]))
        let record = try #require(plan.remote.source)
        #expect(record.difference(from: source([2]), isCovered: false) == nil)
        #expect(record.difference(from: source([3]), isCovered: false) != nil)
    }

    @Test("of the changes that responses made to a jar's cookies, a record takes those of its own source")
    func changedCookies() throws {
        func source(_ cookie: String) -> ResponseSource {
            var request = EncodedRequest(method: .get, url: RequestURL(origin: origin, path: "/", query: nil))
            request.headers[.cookie] = cookie
            let digests = [CookieChanges.digest(of: request)]
            return ResponseSource(user: StorePartition.Parts(), cookies: digests, target: nil, call: .next())
        }
        let origin = Origin(scheme: .https, host: "a.example")
        let changes = CookieChanges()
        changes.record(from: Array("s=ann".utf8), to: Array("s=ann2".utf8))
        changes.record(from: Array("s=bob".utf8), to: Array("s=bob2".utf8))
        var record = SourceRecord(source("s=ann"))
        record.add(changes)
        #expect(record.difference(from: source("s=ann2"), isCovered: false) == nil)
        for cookie in ["s=bob", "s=bob2"] {
            #expect(record.difference(from: source(cookie), isCovered: false) != nil, "\(cookie)")
        }
    }
}
