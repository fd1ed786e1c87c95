// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A part of a file on disk.
@Suite struct RangeDownloadTests {
    @Test("exactly the requested range arrives", arguments: [0..<1, 0..<100_000, 500..<1500, 99_999..<100_000])
    func exact(range: Range<Int>) async throws {
        let bench = try DownloadBench()
        let wanted = Int64(range.lowerBound)..<Int64(range.upperBound)
        let file = try await bench.download(DownloadOptions(range: wanted))
        #expect(bench.bytes() == Array(bench.remote.bytes[range]))
        #expect(bench.remote.seen.map { $0[.range] } == ["bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
        #expect(file.contentRange == ContentRange(wanted.lowerBound...wanted.upperBound - 1, of: 100_000))
        #expect(file.response?.contentRange?.total == 100_000)
    }

    @Test func aRangeBeyondTheEndGetsWhatThereIs() async throws {
        let bench = try DownloadBench()
        let file = try await bench.download(DownloadOptions(range: 99_000..<200_000))
        #expect(file.byteCount == 1000)
        #expect(bench.bytes() == Array(bench.remote.bytes[99_000...]))
    }

    @Test func aRangeThatCantBeHadIsAnError() async throws {
        let bench = try DownloadBench()
        let error = try await bench.failure(DownloadOptions(range: 100_000..<100_001))
        #expect(error.statusCode == 416)
        #expect(error.response?.contentRange?.total == 100_000)
        #expect(bench.names.isEmpty)
        #expect(try await bench.failure(DownloadOptions(range: 5..<5)).code == .invalidRequest)
    }

    @Test("A range after the end is reported as such, if the server sends the whole instead")
    func behindTheEnd() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.doesRanges = false }
        let error = try await bench.failure(DownloadOptions(range: 100_050..<100_100))
        #expect(error.code == .incomplete)
        #expect(error.message.contains("at byte 100050") && error.message.contains("only 100000 bytes"))
        #expect(bench.names.isEmpty)
    }

    @Test func aServerThatIgnoresRangesCostsMoreAndGivesTheSame() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.doesRanges = false }
        let file = try await bench.download(DownloadOptions(range: 25_000..<55_001))
        #expect(file.byteCount == 30_001)
        #expect(bench.bytes() == Array(bench.remote.bytes[25_000..<55_001]))
        #expect(bench.transport.cancelledBodies == 1)
    }

    @Test func aRangeIsGoneOnWith() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.breaks = [10_000, 0, 0] }
        let options = DownloadOptions(resume: true, range: 20_000..<70_000)
        _ = try await bench.failure(options)
        let file = try await bench.download(options)
        #expect(file.resumedByteCount == 10_000)
        #expect(bench.bytes() == Array(bench.remote.bytes[20_000..<70_000]))
        #expect(bench.remote.seen.last?[.range] == "bytes=30000-69999")
    }

    @Test func whatIsLeftOfOneRangeIsNotUsedForAnother() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.breaks = [10_000, 0, 0] }
        _ = try await bench.failure(DownloadOptions(resume: true, range: 20_000..<70_000))
        let file = try await bench.download(DownloadOptions(resume: true, range: 20_001..<70_000))
        #expect(file.resumedByteCount == 0)
        #expect(bench.bytes() == Array(bench.remote.bytes[20_001..<70_000]))
    }

    @Test func aServerThatSendsLessThanTheRangeIsAskedForTheRest() async throws {
        let bench = try DownloadBench()
        let bytes = bench.remote.bytes
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        RemoteFile.steps(Array(bytes[0..<300])),
                        status: .partialContent,
                        headers: [.contentRange: "bytes 0-299/100000", .contentLength: "300", .eTag: "\"v1\""]
                    )
                }
            ]
        }
        #expect(try await bench.download(DownloadOptions(range: 0..<1000)).byteCount == 1000)
        #expect(bench.bytes() == Array(bytes[..<1000]))
    }
}
