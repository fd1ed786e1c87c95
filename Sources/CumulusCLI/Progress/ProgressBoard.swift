// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The lines of running transfers on a terminal, redrawn in place at most ten times a second.
///
/// It draws nothing if standard error is not a terminal, or only errors are wanted.
final class ProgressBoard: Sendable {
    /// A transfer's number on the board.
    typealias Index = Int

    private struct Transfer {
        var line: ProgressLine
        var startedAt: ContinuousClock.Instant
        var estimate = RateEstimate()
        var isRunning = true
    }

    private struct State {
        var transfers: [Transfer] = []
        var expected = 0
        var sum = RateEstimate()
    }

    private static let interval = Duration.milliseconds(100)
    /// A shorter transfer needs no bar.
    private static let patience = Duration.milliseconds(500)

    private let console: Console
    private let style: ProgressLine.Style
    private let isShown: Bool
    private let state = Mutex(State())
    /// The widths of the drawn lines; locked while drawing, so that two drawings don't mix.
    private let drawn = Mutex<[Int]>([])

    init(_ console: Console, isShown: Bool, count: Int) {
        self.console = console
        let surroundings = console.surroundings
        self.isShown = isShown && surroundings.errorsAreTerminal && surroundings.environment["TERM"] != "dumb"
        style = ProgressLine.Style(isUnicode: surroundings.isUnicode, hasColors: surroundings.wantsColorsOnErrors)
        state.withLock { $0.expected = count }
    }

    /// Runs work and draws in the meantime; nothing remains on the screen.
    func whileDrawing<Output: Sendable>(_ work: @escaping @Sendable () async throws -> Output) async throws -> Output {
        guard isShown else { return try await work() }
        let clock = console.clock
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await clock.sleep(until: clock.now + ProgressBoard.patience)
                while !Task.isCancelled {
                    self.draw()
                    try? await clock.sleep(until: clock.now + ProgressBoard.interval)
                }
            }
            defer { erase() }
            let result: Result<Output, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            // No line may be drawn after the last one is erased.
            try? await group.waitForAll()
            return try result.get()
        }
    }

    /// Adds a transfer to the board.
    func add(_ name: String) -> Index {
        let now = console.clock.now
        return state.withLock { state in
            state.transfers.append(Transfer(line: ProgressLine(name: name, hasBegun: false), startedAt: now))
            return state.transfers.count - 1
        }
    }

    /// Records the progress of a transfer.
    func note(_ event: TransferProgress, of index: Index) {
        let now = console.clock.now
        state.withLock { state in
            if !state.transfers[index].line.hasBegun { state.transfers[index].estimate.look(at: event.completed, now) }
            state.transfers[index].line.hasBegun = true
            state.transfers[index].line.completed = event.completed
            state.transfers[index].line.total = event.total
        }
    }

    /// Removes a transfer from the board, and prints a line about it above the others.
    func end(_ index: Index, saying line: String?) {
        state.withLock { $0.transfers[index].isRunning = false }
        guard let line else { return }
        erase()
        console.note(line)
        if isShown { draw() }
    }

    private func draw() {
        let now = console.clock.now
        let size = console.terminalSize()
        let rows = state.withLock { ProgressBoard.layout(&$0, at: now) }.rows(size, style: style)
        guard !rows.isEmpty else { return erase() }
        let text = rows.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
        drawn.withLock { drawn in
            console.draw("\(ProgressBoard.toTheStart(of: drawn, columns: size.columns))\(text)\u{1B}[J")
            drawn = rows.map { DisplayWidth.of(ProgressBoard.plain($0)) }
        }
    }

    private func erase() {
        guard isShown else { return }
        let columns = console.terminalSize().columns
        drawn.withLock { drawn in
            guard !drawn.isEmpty else { return }
            console.draw("\(ProgressBoard.toTheStart(of: drawn, columns: columns))\u{1B}[J")
            drawn = []
        }
    }

    private static func layout(_ state: inout State, at now: ContinuousClock.Instant) -> BoardLayout {
        for index in state.transfers.indices where state.transfers[index].isRunning {
            state.transfers[index].estimate.look(at: state.transfers[index].line.completed, now)
            state.transfers[index].line.rate = state.transfers[index].estimate.rate
            state.transfers[index].line.elapsed = now - state.transfers[index].startedAt
        }
        let completed = state.transfers.reduce(0) { $0 + $1.line.completed }
        state.sum.look(at: completed, now)
        return BoardLayout(
            lines: state.transfers.filter(\.isRunning).map(\.line),
            count: max(state.expected, state.transfers.count),
            ended: state.transfers.count { !$0.isRunning },
            completed: completed,
            rate: state.sum.rate
        )
    }

    /// Moves to the start of the drawing; lines that are now wider than the terminal have become several.
    private static func toTheStart(of widths: [Int], columns: Int) -> String {
        let rows = widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
    }

    /// A line without its colors.
    private static func plain(_ text: String) -> String {
        var result = ""
        var isCode = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" { isCode = true }
            if !isCode { result.unicodeScalars.append(scalar) }
            if isCode, scalar == "m" { isCode = false }
        }
        return result
    }
}
