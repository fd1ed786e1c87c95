// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct ProgressBoardTests {
    private let size = TerminalSize(columns: 60, rows: 5)
    private let style = ProgressLine.Style(isUnicode: false)

    @Test func oneTransferIsOneLineAndSeveralHaveASum() {
        var layout = BoardLayout(
            lines: [ProgressLine(name: "a", completed: 1, total: 2)],
            count: 1,
            ended: 0,
            completed: 1
        )
        #expect(layout.rows(size, style: style).count == 1)
        layout.count = 3
        layout.ended = 2
        layout.rate = 2_097_152
        let rows = layout.rows(size, style: style)
        #expect(rows.count == 2 && rows.last == "2 of 3 done, 1 B, 2.0 MiB/s")
        #expect(rows.allSatisfy { DisplayWidth.of($0) < size.columns })
    }

    @Test func thereAreNeverMoreLinesThanTheTerminalHas() {
        let lines = (0..<20).map { ProgressLine(name: "file-\($0)") }
        let rows = BoardLayout(lines: lines, count: 20, ended: 0, completed: 0).rows(size, style: style)
        #expect(rows.count == 4)
        #expect(rows.last == "0 of 20 done, 0 B, 17 more running")
    }

    @Test func itDrawsTenTimesASecondAndLeavesNothing() async throws {
        let memory = MemoryConsole(errorsAreTerminal: true)
        var console = memory.console
        let clock = ManualClock()
        console.clock = clock
        let board = ProgressBoard(console, isShown: true, count: 1)
        let index = board.add("a.bin")
        let gate = Gate()
        async let work: Void = board.whileDrawing { try await gate.wait() }
        try await clock.waitForSleepers()
        // A transfer that ends within half a second needs no bar.
        clock.advance(by: .milliseconds(499))
        #expect(memory.drawings.isEmpty)
        clock.advance(by: .milliseconds(1))
        for _ in 0..<10 {
            try await clock.waitForSleepers()
            clock.advance(by: .milliseconds(100))
        }
        try await clock.waitForSleepers()
        #expect(memory.drawings.count == 11)
        #expect(memory.drawings.first?.contains("a.bin  waiting for the server") == true)
        board.end(index, saying: nil)
        gate.open()
        try await work
        #expect(memory.drawings.last == "\r\u{1B}[J")
    }

    @Test(arguments: [(false, true, [:]), (true, false, [:]), (true, true, ["TERM": "dumb"])])
    func itIsQuietWhereItMustBe(isTerminal: Bool, isShown: Bool, environment: [String: String]) async throws {
        let memory = MemoryConsole(errorsAreTerminal: isTerminal, environment: environment)
        var console = memory.console
        let clock = ManualClock()
        console.clock = clock
        let board = ProgressBoard(console, isShown: isShown, count: 1)
        let index = board.add("a.bin")
        try await board.whileDrawing { clock.advance(by: .seconds(10)) }
        board.end(index, saying: "cumulus: got a.bin")
        #expect(memory.drawings.isEmpty)
        #expect(memory.notes == ["cumulus: got a.bin"])
    }

    @Test func standingStillShows() {
        var estimate = RateEstimate()
        let start = ContinuousClock.now
        for second in 0...10 { estimate.look(at: Int64(second) * 1_000, start + .seconds(second)) }
        #expect(estimate.rate.map { abs($0 - 1_000) < 1 } == true)
        for second in 11...25 { estimate.look(at: 10_000, start + .seconds(second)) }
        #expect(estimate.rate.map { $0 < 10 } == true)
        // A repeated attempt starts over, without a negative speed.
        estimate.look(at: 0, start + .seconds(26))
        #expect(estimate.rate.map { $0 >= 0 } == true)
    }
}
