// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Resuming a broken download: never with bytes that don't belong there.
@Suite(.timeLimit(.minutes(10))) struct ResumeTests {
    private static let resuming = DownloadOptions(resume: true)

    // MARK: What is there already

    @Test("Leftovers of an earlier download stay until bytes arrive", arguments: [false, true])
    func aFailedRequestCostsNothing(resume: Bool) async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("theirs", to: bench.partName)
        _ = try bench.folder.write("no record", to: bench.partName + ".json")
        bench.remote.change { $0.twists = [{ _, _ in .response(.notFound) }] }
        #expect(try await bench.failure(DownloadOptions(resume: resume)).statusCode == 404)
        #expect(bench.bytes(bench.part) == Array("theirs".utf8))
        #expect(bench.bytes(bench.record) == Array("no record".utf8))
        #expect(try await bench.download(DownloadOptions(resume: resume)).byteCount == 100_000)
        #expect(bench.names == ["data.bin"])
    }

    @Test func anotherPlaceThatFailsLeavesWhatCanBeGoneOnWith() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        for options in [ResumeTests.resuming, DownloadOptions()] {
            bench.remote.change { $0.twists = [{ _, _ in .response(.notFound) }] }
            let error = try await failure {
                try await bench.site["elsewhere"].download(to: .file(bench.path), options: options)
            }
            #expect(error.statusCode == 404)
        }
        let file = try await bench.download(ResumeTests.resuming)
        #expect(file.resumedByteCount >= 40_000)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    // MARK: Within one call

    @Test(arguments: [1, 9_999, 40_000, 99_999]) func aBreakIsMendedWithinTheCall(count: Int) async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.breaks = [count] }
        let file = try await bench.download()
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
        #expect(file.resumedByteCount == 0 && file.restartReason == nil)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, "bytes=\(count)-"])
        #expect(bench.remote.seen.last?[.ifRange] == "\"v1\"")
        #expect(bench.remote.seen.last?[.acceptEncoding] == "identity")
    }

    @Test func twoBreaksAreMendedAndAThirdIsAnError() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.breaks = [10_000, 10_000] }
        #expect(try await bench.download().byteCount == 100_000)
        #expect(bench.bytes() == bench.remote.bytes)
        bench.remote.change { $0.breaks = [10_000, 10_000, 10_000] }
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.code == .incomplete)
        #expect((error.cause as? CumulusError)?.code == .truncatedBody)
        #expect(error.message.contains("30000 bytes of 100000"))
        #expect(bench.names == ["data.bin"])
    }

    @Test("the policy says which statuses may pass, also for the rest")
    func statusesOfThePolicy() async throws {
        func requests(
            after status: HTTPResponse.Status,
            _ headers: Headers = [:],
            for policy: RetryPolicy
        ) async throws -> Int {
            let bench = try DownloadBench()
            bench.site.setRules { $0.retry = policy }
            bench.remote.change {
                ($0.breaks, $0.twists) = ([40_000], [nil, { _, _ in .response(status, headers: headers) }])
            }
            do { _ = try await bench.download() } catch { #expect((error as? CumulusError)?.statusCode == status.code) }
            return bench.remote.seen.count
        }
        #expect(try await requests(after: 520, for: RetryPolicy()) == 2)
        #expect(try await requests(after: 520, for: RetryPolicy(statuses: [520])) == 3)
        #expect(try await requests(after: .serviceUnavailable, for: RetryPolicy(statuses: [])) == 2)
        #expect(try await requests(after: .forbidden, for: RetryPolicy()) == 2)
        #expect(try await requests(after: .forbidden, [.retryAfter: "1"], for: RetryPolicy()) == 3)
    }

    @Test("a weak tag is no condition, nor is the date beside it: the file is begun anew")
    func weakTags() async throws {
        let bench = try DownloadBench()
        let next = RemoteFile.content(100_000, seed: 3)
        bench.remote.change { state in
            (state.tag, state.modified) = ("W/\"v1\"", "Sun, 06 Nov 1994 08:00:00 GMT")
            state.breaks = [40_000]
            state.twists = [
                { _, answer in
                    bench.remote.change { ($0.tag, $0.bytes) = ("W/\"v2\"", next) }
                    return answer
                }
            ]
        }
        #expect(try await bench.download().byteCount == 100_000)
        #expect(bench.bytes() == next)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, nil])
        #expect(bench.remote.seen.allSatisfy { $0[.ifRange] == nil })
    }

    @Test("a part of an unknown length isn't the end until the server says so") func unknownLength() async throws {
        let bench = try DownloadBench()
        let bytes = bench.remote.bytes
        func part(_ range: Range<Int>, of total: String) -> RemoteFile.Twist {
            { _, _ in
                .script(
                    RemoteFile.steps(Array(bytes[range])),
                    status: .partialContent,
                    headers: [
                        .eTag: "\"v1\"", .contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)",
                    ]
                )
            }
        }
        bench.remote.change {
            $0.twists = [
                { _, _ in .script(RemoteFile.steps(bytes, 50_000), headers: [.eTag: "\"v1\""]) },
                part(50_000..<70_000, of: "*"), part(70_000..<100_000, of: "*"),
            ]
        }
        #expect(try await bench.download().byteCount == 100_000)
        #expect(bench.bytes() == bytes)
        let asked = [nil, "bytes=50000-", "bytes=70000-", "bytes=100000-"]
        #expect(bench.remote.seen.map { $0[.range] } == asked)
    }

    @Test("a busy server is asked for the rest when it says, unless that is too late")
    func aToldWaitIsKept() async throws {
        let bench = try DownloadBench()
        let clock = ManualClock()
        bench.site.setRules {
            $0.clock = clock
            $0.timeout = nil
        }
        let busy: RemoteFile.Twist = { _, _ in .response(.serviceUnavailable, headers: [.retryAfter: "9"]) }
        bench.remote.change { ($0.breaks, $0.twists) = ([40_000], [nil, busy]) }
        bench.site.setRules { $0.retry?.backoff = RetryBackoff(base: .zero) }
        let task = Task { try await bench.download() }
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .seconds(9))
        clock.advance(by: .seconds(9))
        #expect(try await task.value.byteCount == 100_000)
        bench.site.setRules { $0.retry?.maxWait = .seconds(8) }
        bench.remote.change { ($0.breaks, $0.twists) = ([40_000], [nil, busy]) }
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.code == .incomplete && "\(error)".contains("longer than the 8 s allowed"), "\(error)")
        #expect(!error.message.contains("allowed"), "it is said once")
    }

    @Test("the whole without its length, cut short, is no success if its length is known", arguments: [false, true])
    func aCutWholeOfAKnownStateIsNotKept(isDated: Bool) async throws {
        let bench = try DownloadBench()
        let cut = Array(bench.remote.bytes.prefix(60_000))
        let (old, now) = ("Sat, 05 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT")
        let same: Headers = isDated ? [.lastModified: old, .date: now] : [.eTag: "\"v1\""]
        bench.remote.change { state in
            if isDated { (state.tag, state.modified) = (nil, old) }
            state.breaks = [40_000]
            state.twists = [nil, { _, _ in .script(RemoteFile.steps(cut), headers: same) }]
        }
        let error = try await bench.failure(ResumeTests.resuming)
        #expect(error.code == .incomplete && error.message.contains("100000 bytes were expected"), "\(error)")
        #expect(bench.bytes() == nil)
        #expect(try await bench.download(ResumeTests.resuming).resumedByteCount == 60_000)
        #expect(bench.bytes() == bench.remote.bytes)
        // Another state may have any length.
        bench.remote.change { state in
            state.breaks = [40_000]
            state.twists = [nil, { _, _ in .script(RemoteFile.steps(cut), headers: [.eTag: "\"v2\""]) }]
        }
        #expect(try await bench.download(DownloadOptions(existing: .replace)).byteCount == 60_000)
    }

    @Test func tryingAgainWaitsOnTheResourcesClock() async throws {
        let bench = try DownloadBench()
        let clock = ManualClock()
        bench.site.setRules {
            $0.clock = clock
            $0.timeout = nil
            $0.retry?.backoff = RetryBackoff(base: .milliseconds(250), jitter: { 1 })
        }
        bench.remote.change { $0.breaks = [10_000, 0] }
        let task = Task { try await bench.download() }
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .milliseconds(250))
        clock.advance(by: .milliseconds(250))
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        _ = try await task.value
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test func withoutAnythingToKnowItByTheFileIsBegunAnew() async throws {
        let bench = try DownloadBench()
        bench.remote.change { state in
            state.tag = nil
            state.breaks = [50_000]
        }
        #expect(try await bench.download().byteCount == 100_000)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, nil])
    }

    @Test func aBusyServerIsAskedAgain() async throws {
        let bench = try DownloadBench()
        bench.remote.change { state in
            state.breaks = [50_000]
            state.twists = [nil, { _, _ in .text("busy", status: .serviceUnavailable) }]
        }
        #expect(try await bench.download().byteCount == 100_000)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test func aFailureBeforeTheFirstAnswerIsRetriedAsOfAnyRequest() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.twists = [{ _, _ in .failure(TransportFailure(.connect, "nobody there")) }] }
        #expect(try await bench.download().byteCount == 100_000)
        #expect(bench.remote.seen.count == 2)
    }

    @Test func withoutRetriesAnErrorBeforeTheFirstByteIsTheCallersAtOnce() async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.retry = .never }
        bench.remote.change { $0.twists = [{ _, _ in .failure(TransportFailure(.connect, "nobody there")) }] }
        #expect(try await bench.failure().code == .connect)
        #expect(bench.remote.seen.count == 1)
        #expect(bench.names.isEmpty)
    }

    @Test func progressGoesOnWhereItWas() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        let events = Mutex<[TransferProgress]>([])
        _ = try await bench.resource.download(to: .file(bench.path), options: ResumeTests.resuming) { event in
            events.withLock { $0.append(event) }
        }
        let all = events.withLock(\.self)
        #expect(all.first?.completed == 40_000)
        #expect(all.first?.offset == 40_000)
        #expect(all.last?.completed == 100_000)
        #expect(all.last?.total == 100_000)
    }

    // MARK: From call to call

    @Test("a broken download is resumed with its tag")
    func byTag() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        #expect(bench.names == bench.leftovers)
        let file = try await bench.download(ResumeTests.resuming)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(file.resumedByteCount == 40_000)
        #expect(file.byteCount == 100_000)
        #expect(file.response?.status == .partialContent)
        #expect(bench.names == ["data.bin"])
        #expect(bench.remote.seen.map { $0[.range] } == ["bytes=40000-"])
        #expect(bench.remote.seen.map { $0[.ifRange] } == ["\"v1\""])
    }

    @Test("a broken download is resumed with its date")
    func byDate() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.tag = nil
            state.modified = "Sun, 06 Nov 1994 08:00:00 GMT"
        }
        let bench = try DownloadBench(remote)
        try await bench.breakOff(after: 40_000)
        #expect(try await bench.download(ResumeTests.resuming).resumedByteCount == 40_000)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.remote.seen.map { $0[.ifRange] } == ["Sun, 06 Nov 1994 08:00:00 GMT"])
    }

    @Test func whatACancelledDownloadBroughtIsKept() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let bytes = bench.remote.bytes
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        RemoteFile.steps(Array(bytes[..<30_000])) + [.gate(gate)],
                        headers: [.contentLength: "100000", .eTag: "\"v1\""]
                    )
                }
            ]
        }
        let task = Task { try await bench.download(ResumeTests.resuming) }
        // The space is preallocated, so only the last received byte counts.
        try await eventually { bench.bytes(bench.part)?.dropFirst(29_900).first { $0 != 0 } != nil }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bench.names == bench.leftovers)
        let file = try await bench.download(ResumeTests.resuming)
        #expect(file.resumedByteCount > 0)
        #expect(bench.bytes() == bytes)
    }

    @Test("a plain download discards an earlier one's bytes")
    func forgets() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        let file = try await bench.download()
        #expect(file.resumedByteCount == 0 && file.restartReason == nil)
        #expect(bench.remote.seen.map { $0[.range] } == [nil])
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test func inADirectoryTheURLFindsWhatIsLeft() async throws {
        let bench = try DownloadBench()
        let folder = DownloadDestination.directory(bench.folder.path)
        bench.remote.change { state in
            state.extra["Content-Disposition"] = "attachment; filename=b.txt"
            state.breaks = [40_000, 0, 0]
        }
        _ = try? await bench.resource.download(to: folder, options: ResumeTests.resuming)
        #expect(bench.names.count == 2)
        let file = try await bench.resource.download(to: folder, options: ResumeTests.resuming)
        #expect(file.resumedByteCount == 40_000)
        #expect(bench.names == ["b.txt"])
        #expect(bench.bytes(file.path) == bench.remote.bytes)
    }

    @Test("Everything but the last step is done: one byte is requested, and the download is complete")
    func complete() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 100_000)
        #expect(try await bench.download(ResumeTests.resuming).resumedByteCount == 100_000)
        #expect(bench.remote.seen.map { $0[.range] } == ["bytes=99999-"])
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("416 at the end of a file of unknown length means that it is complete")
    func unsatisfiedAtTheEnd() async throws {
        let bench = try DownloadBench()
        let bytes = bench.remote.bytes
        let broken: RemoteFile.Twist = { _, _ in .script(RemoteFile.steps(bytes, 100_000), headers: [.eTag: "\"v1\""]) }
        let down: RemoteFile.Twist = { _, _ in .failure(TransportFailure(.connect, "down")) }
        bench.remote.change { $0.twists = [broken, down, down] }
        _ = try await bench.failure(ResumeTests.resuming)
        #expect(try await bench.download(ResumeTests.resuming).byteCount == 100_000)
        #expect(bench.bytes() == bytes)
    }

    // MARK: Other bytes

    @Test("a changed file, even of the same length, is fetched again", arguments: [100_000, 100_001, 20_000])
    func changed(count: Int) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        bench.remote.change { state in
            state.bytes = RemoteFile.content(count, seed: 9)
            state.tag = "\"v2\""
        }
        let file = try await bench.download(ResumeTests.resuming)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(file.resumedByteCount == 0)
        let reason = count == 100_000 ? "the file's entity tag" : "the file had 100000 bytes"
        #expect(file.restartReason?.hasPrefix(reason) == true)
        #expect(bench.names == ["data.bin"])
    }

    @Test("a file that changes between the attempts of one call is downloaded again")
    func changedMeanwhile() async throws {
        let bench = try DownloadBench()
        let remote = bench.remote
        remote.change { state in
            state.breaks = [40_000]
            state.twists = [
                { _, answer in
                    remote.change { state in
                        state.bytes = RemoteFile.content(100_000, seed: 9)
                        state.tag = "\"v2\""
                    }
                    return answer
                }
            ]
        }
        _ = try await bench.download()
        #expect(bench.bytes() == RemoteFile.content(100_000, seed: 9))
    }

    @Test("a change despite If-Range is detected in the part's own head", arguments: [206, 412, 416])
    func changedUnderARange(code: Int) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        bench.remote.change { state in
            state.bytes = RemoteFile.content(100_000, seed: 9)
            state.tag = "\"v2\""
            state.twists = [
                { request, answer in
                    guard code == 206 else {
                        return .response(.init(code: code), headers: [.contentRange: "bytes */100"])
                    }
                    return .script(
                        RemoteFile.steps(Array(RemoteFile.content(100_000, seed: 9)[40_000...])),
                        status: .partialContent,
                        headers: [.contentRange: "bytes 40000-99999/100000", .eTag: "\"v2\"", .contentLength: "60000"]
                    )
                }
            ]
        }
        _ = try await bench.download(ResumeTests.resuming)
        #expect(bench.bytes() == RemoteFile.content(100_000, seed: 9))
    }

    @Test("a file that changes all the time is an error, and nothing is kept")
    func changesAllTheTime() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        let changed: RemoteFile.Twist = { _, _ in .response(.preconditionFailed) }
        let broken: RemoteFile.Twist = { _, _ in
            .script(
                RemoteFile.steps(RemoteFile.content(1000), 500),
                headers: [.eTag: "\"v3\"", .contentLength: "1000"]
            )
        }
        bench.remote.change { $0.twists = [changed, broken, changed, broken, changed, broken, changed] }
        #expect(try await bench.failure(ResumeTests.resuming).code == .remoteChanged)
        #expect(bench.names.isEmpty)
    }

    @Test(
        "an inconsistent part is refused",
        arguments: [
            ("bytes 40000-99999/100000", 59_999, "59999"), ("bytes 40000-99999/100000", 60_000, "60001"),
            ("bytes 40000-99998/100000", 60_000, nil), ("bytes 40001-99999/100000", 59_999, "59999"),
            ("bytes 0-99999/100000", 100_000, "100000"), (nil, 60_000, "60000"),
        ] as [(String?, Int, String?)]
    )
    func forged(range: String?, count: Int, length: String?) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    var headers: Headers = [.eTag: "\"v1\""]
                    headers[.contentRange] = range
                    headers[.contentLength] = length
                    return .script(
                        RemoteFile.steps([UInt8](repeating: 0xEE, count: count)),
                        status: .partialContent,
                        headers: headers
                    )
                }
            ]
        }
        do {
            _ = try await bench.download(ResumeTests.resuming)
            #expect(bench.bytes() == bench.remote.bytes)
        } catch {
            #expect(bench.names.allSatisfy { $0 != "data.bin" })
        }
    }

    @Test("several ranges instead of one, and an encoded range, are refused", arguments: ["several", "coded"])
    func oddParts(kind: String) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    var headers: Headers = [.eTag: "\"v1\"", .contentRange: "bytes 40000-99999/100000"]
                    if kind == "coded" { headers[.contentEncoding] = "gzip" }
                    if kind == "several" { headers[.contentType] = "multipart/byteranges; boundary=b" }
                    return .script(
                        RemoteFile.steps([UInt8](repeating: 1, count: 60_000)),
                        status: .partialContent,
                        headers: headers
                    )
                }
            ]
        }
        _ = try await bench.download(ResumeTests.resuming)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    // MARK: The whole for a range

    @Test("if the whole is sent for a range despite the same tag, it is requested once without If-Range")
    func withoutCondition() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        let bytes = bench.remote.bytes
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(RemoteFile.steps(bytes), headers: [.eTag: "\"v1\"", .contentLength: "100000"])
                }
            ]
        }
        #expect(try await bench.download(ResumeTests.resuming).resumedByteCount == 40_000)
        #expect(bench.remote.seen.map { $0[.ifRange] } == ["\"v1\"", nil])
        #expect(bench.remote.seen.map { $0[.range] } == ["bytes=40000-", "bytes=40000-"])
        #expect(bench.bytes() == bytes)
    }

    @Test("a server that ignores ranges sends the whole, which is compared with the existing bytes")
    func ignoresRanges() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 45_000)
        bench.remote.change { $0.doesRanges = false }
        #expect(try await bench.download(ResumeTests.resuming).byteCount == 100_000)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test("a whole that differs in one byte wins", arguments: [0, 1, 9_999, 20_000, 44_999])
    func prefixDiffers(place: Int) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 45_000)
        bench.remote.change { state in
            state.doesRanges = false
            state.bytes[place] ^= 1
            state.tag = nil
        }
        _ = try await bench.download(ResumeTests.resuming)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    // MARK: Records

    @Test(
        "a record that is invalid, or of another version, is not trusted",
        arguments: ["", "{", "{\"version\":3}", "null", "[1]", "{\"version\":2}"]
    )
    func unreadable(text: String) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        _ = try bench.folder.write(text, to: bench.partName + ".json")
        let file = try await bench.download(ResumeTests.resuming)
        #expect(file.resumedByteCount == 0 && file.restartReason == "the part file has no valid record")
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test(
        "a record with more bytes than there are, or of another URL, is not trusted",
        arguments: ["short", "place"]
    )
    func untrue(kind: String) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        if kind == "short" {
            _ = try bench.folder.write([1, 2, 3], to: bench.partName)
            #expect(try await bench.download(ResumeTests.resuming).resumedByteCount == 0)
        } else {
            let file = try await bench.site["other.bin"].download(to: .file(bench.path), options: ResumeTests.resuming)
            #expect(file.resumedByteCount == 0 && file.restartReason == "the part file is for another URL")
        }
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test func aPartFileWithoutARecordIsBegunAnew() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write([UInt8](repeating: 9, count: 200_000), to: bench.partName)
        #expect(try await bench.download(ResumeTests.resuming).resumedByteCount == 0)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }
}
