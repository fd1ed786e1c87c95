// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI
@testable import CumulusCore

/// The bytes in an upload's report.
struct LatestCountTests {
    private func event(_ completed: Int64, of total: Int64?, isFinished: Bool = false) -> TransferProgress {
        TransferProgress(
            .sending,
            completed: completed,
            of: total,
            redactedURL: "http://a.example/",
            step: completed,
            elapsed: .seconds(1),
            bytesPerSecond: 1,
            isFinished: isFinished
        )
    }

    @Test(
        "a response that overtakes the last event is counted by the written bytes",
        arguments: [
            (256, 300, false, 480, 300), (300, 300, true, 480, 300), (100, 300, false, 120, 120),
            (100, nil, false, 480, 100), (256, 300, false, 0, 256),
        ] as [(Int64, Int64?, Bool, Int64, Int64)]
    )
    func answerFirst(completed: Int64, total: Int64?, isFinished: Bool, written: Int64, bytes: Int64) {
        let sent = LatestCount()
        #expect(sent.value(written: written) == 0)
        sent.note(event(completed, of: total, isFinished: isFinished))
        #expect(sent.value(written: written) == bytes)
    }
}
