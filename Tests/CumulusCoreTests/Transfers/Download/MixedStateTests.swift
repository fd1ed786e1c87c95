// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore
@testable import CumulusTesting

/// A file that changes on the server during a download is never mixed, even if the server reveals little of it.
@Suite(.timeLimit(.minutes(10))) struct MixedStateTests {
    /// What servers leave out of a 206.
    enum Silence: String, Sendable, CaseIterable {
        case tag = "no tag, a newer date"
        case both = "no tag and no date"
    }

    /// A server that ignores `If-Range`, and whose parts have no tag.
    private func silence(_ silence: Silence) -> RemoteFile.Twist {
        { request, answer in
            guard request.headers[.range] != nil, case .head(var head, let steps, let trailers) = answer.outcome else {
                return answer
            }
            head.headerFields[.eTag] = nil
            head.headerFields[.lastModified] = silence == .tag ? "Sun, 06 Nov 1994 08:49:20 GMT" : nil
            var changed = answer
            changed.outcome = .head(head, steps, trailers: trailers)
            return changed
        }
    }

    /// Another state with the same length, whose parts are sent despite `If-Range`.
    private func change(_ remote: RemoteFile, _ silence: Silence) {
        let twist = self.silence(silence)
        remote.change { state in
            state.bytes = RemoteFile.content(state.bytes.count, seed: 9)
            state.ignoresConditions = true
            state.twists = Array(repeating: twist, count: 20)
        }
    }

    @Test("a resumed download starts over", arguments: Silence.allCases)
    func resumed(silence: Silence) async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.modified = "Sun, 06 Nov 1994 08:49:10 GMT" }
        try await bench.breakOff(after: 40_000)
        change(bench.remote, silence)
        let file = try await bench.download(DownloadOptions(resume: true))
        #expect(file.resumedByteCount == 0)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("a range of a file without a known revision starts over")
    func ranges() async throws {
        let bench = try DownloadBench()
        bench.remote.change { state in
            state.tag = nil
            state.breaks = [10_000]
            state.changesAfterBreak = true
        }
        _ = try await bench.download(DownloadOptions(range: 20_000..<70_000))
        #expect(bench.bytes() == Array(bench.remote.bytes[20_000..<70_000]))
    }

    @Test("several connections don't mix unproven parts", arguments: Silence.allCases)
    func segments(silence: Silence) async throws {
        let bench = try DownloadBench(RemoteFile(count: 400_000))
        bench.site.setRules { $0.chunks.size = 50_000 }
        let twist = self.silence(silence)
        bench.remote.change { state in
            state.modified = "Sun, 06 Nov 1994 08:49:10 GMT"
            state.ignoresConditions = true
            state.changesAfterFirst = true
            state.twists = [nil] + Array(repeating: twist, count: 40)
        }
        let bytes = bench.remote.bytes
        let other = RemoteFile.content(400_000, seed: 9)
        do {
            var options = DownloadOptions()
            options.connections = 4
            _ = try await bench.download(options)
            #expect(bench.bytes() == bytes || bench.bytes() == other)
        } catch let error as CumulusError {
            #expect(error.code == .remoteChanged)
            #expect(bench.bytes() == nil)
        }
    }

    @Test("a body in memory that breaks off fails", arguments: Silence.allCases)
    func inMemory(silence: Silence) async throws {
        let remote = RemoteFile()
        let site = Resource("http://a.example", transport: remote.transport.watched) { $0.clock = HastyClock() }
        // Only once, so that the whole is not requested after the part.
        site.setRules { $0.retry?.limit = 1 }
        let twist = self.silence(silence)
        remote.change { state in
            state.breaks = [50_000]
            state.ignoresConditions = true
            state.changesAfterBreak = true
            state.twists = [nil] + Array(repeating: twist, count: 4)
        }
        #expect(try await failure { try await site.get() }.code == .truncatedBody)
    }

    @Test("a 200 with the known tag and another length is not the file", arguments: [nil, "bytes 0-59999/60000"])
    func oneTagWithTwoLengths(range: String?) async throws {
        let bench = try DownloadBench()
        let part = Array(bench.remote.bytes[40_000...])
        try await bench.breakOff(after: 40_000)
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    var headers: Headers = [.eTag: "\"v1\"", .contentLength: "60000"]
                    headers[.contentRange] = range
                    return .script(RemoteFile.steps(part), headers: headers)
                }
            ]
        }
        _ = try await bench.download(DownloadOptions(resume: true))
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.remote.seen.map { $0[.range] } == ["bytes=40000-", nil])
    }
}
