// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The length of a part, as a server reports it, is checked before it is used.
@Suite struct SegmentedRangeTests {
    @Test func aPartThatIsSaidToReachToTheLargestNumberIsCutToItsShare() async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.chunks.size = 1000 }
        try await bench.breakOff(after: 40_000)
        let rest = Array(bench.remote.bytes[40_000...])
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        RemoteFile.steps(rest),
                        status: .partialContent,
                        headers: [.eTag: "\"v1\"", .contentRange: "bytes 40000-\(Int64.max - 1)/*"]
                    )
                }
            ]
        }
        var options = DownloadOptions(resume: true)
        options.connections = 2
        #expect(try await bench.download(options).byteCount == 100_000)
        #expect(bench.bytes() == bench.remote.bytes)
        // The connection that finishes first may also take part of the other's segment.
        #expect(bench.remote.seen.prefix(2).map { $0[.range] } == ["bytes=40000-", "bytes=70000-99999"])
    }
}
