// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The length of a part, as a server reports it, is checked before it is used.
@Suite(.timeLimit(.minutes(10))) struct SegmentedRangeTests {
    @Test func aPartThatIsSaidToReachToTheLargestNumberIsCutToItsShare() async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.chunks.size = 1000 }
        try await bench.breakOff(after: 40_000)
        var steps = RemoteFile.steps(Array(bench.remote.bytes[40_000...]))
        // The first response would otherwise continue to the end before the other connection's request.
        let (remote, gate) = (bench.remote, Gate())
        steps.insert(.gate(gate), at: 1)
        let held = steps
        Task {
            defer { gate.open() }
            try await eventually { remote.seen.count > 1 }
        }
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        held,
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
        // The other connection takes half of what the first has not received when it begins, and perhaps more later.
        let ranges = bench.remote.seen.map { $0[.range] ?? "" }
        #expect(ranges.first == "bytes=40000-" && ranges.count > 1)
        for range in ranges.dropFirst() {
            let start = range.dropFirst("bytes=".count).prefix { $0 != "-" }
            #expect(Int(start).map { (40_001..<100_000).contains($0) } ?? false, "\(range)")
        }
    }
}
