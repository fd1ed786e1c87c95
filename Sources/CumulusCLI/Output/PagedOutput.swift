// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// Holds the output until it is known whether it fits on the screen; longer output goes to a pager.
final class PagedOutput: Sendable {
    private struct State {
        var held: [UInt8] = []
        var pager: OutputFile?
        /// What was passed to a pager that may not be there; `nil` once it has taken enough.
        var unseen: [UInt8]? = []
        /// Whether the reader has left the pager.
        var isClosed = false
        /// Lines for standard error, which would be lost behind the pager's.
        var notes: [String] = []
        var noteSize = 0
        /// How many further lines were not held.
        var omittedNotes = 0

        /// Holds a line, as long as all of them are short enough for memory.
        mutating func hold(_ note: String) {
            noteSize += note.utf8.count
            if noteSize <= PagedOutput.longestNotes { notes.append(note) } else { omittedNotes += 1 }
        }
    }

    private static let longestNotes = 1 << 20
    /// More than a pipe holds on any system.
    private static let pipe = 2 << 20

    private let state = Mutex(State())
    private let pager: Pager
    private let console: Console

    /// Pages a response; `nil` if no pager is wanted, or if the response may take long.
    init?(_ plan: OutputPlan, for head: ResponseHead, console: Console) {
        let type = plan.responseType ?? head.headers[.contentType].flatMap { MediaType($0) }
        guard let pager = plan.pager, plan.file == nil,
            plan.table != nil || pager.takes(head, as: type)
                || plan.filter != nil && ![.jsonLines, .events].contains(BodyKind(type))
        else { return nil }
        self.pager = pager
        self.console = console
    }

    /// Pages a text.
    init(_ pager: Pager, console: Console) {
        self.pager = pager
        self.console = console
    }

    /// The console whose output is collected here.
    var paged: Console {
        var paged = console
        paged.write = { [self] in try write($0) }
        paged.note = { [self] note in state.withLock { $0.hold(note) } }
        return paged
    }

    private func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            if state.isClosed { throw ClosedOutput() }
            if state.pager != nil { return try pass(bytes, &state) }
            state.held += bytes
            if state.held.count > Pager.longest { try open(&state) }
        }
    }

    /// Shows the held output, waits until the reader has left the pager, and prints the remaining lines.
    func finish() throws {
        let (notes, omitted) = try state.withLock { state in
            defer { (state.notes, state.omittedNotes) = ([], 0) }
            if state.pager == nil, !state.isClosed, isLonger(state.held) { try open(&state) }
            if state.pager != nil {
                try close(&state)
            } else if !state.held.isEmpty {
                let held = state.held
                state.held = []
                try console.write(held)
            }
            return (state.notes, state.omittedNotes)
        }
        for note in notes { console.note(note) }
        if omitted > 0 { console.note("cumulus: note: \(omitted) more lines are not shown") }
    }

    /// Starts the pager with the held output; without one, it is printed normally.
    private func open(_ state: inout State) throws {
        let held = state.held
        state.held = []
        do {
            state.pager = try console.startPager(pager.command)
        } catch {
            return try printWithout(held, because: error, &state)
        }
        try pass(held, &state)
    }

    private func pass(_ bytes: [UInt8], _ state: inout State) throws {
        // A pager that has taken more than a pipe holds is there.
        if let count = state.unseen?.count, count > PagedOutput.pipe { state.unseen = nil }
        state.unseen?.append(contentsOf: bytes)
        do {
            try state.pager?.write(bytes)
        } catch {
            try close(&state)
            guard state.pager != nil else {
                state.isClosed = true
                throw error
            }
        }
    }

    /// Waits for the pager's end; if it was never there, the output is printed.
    private func close(_ state: inout State) throws {
        let (pager, unseen) = (state.pager, state.unseen ?? [])
        (state.pager, state.unseen) = (nil, [])
        do {
            try pager?.close()
        } catch {
            try printWithout(unseen, because: error, &state)
        }
    }

    /// Prints the output normally from now on: each piece is written immediately.
    private func printWithout(_ bytes: [UInt8], because error: any Error, _ state: inout State) throws {
        state.hold("cumulus: warning: the pager \(quoted(pager.command)) can't be run: \(error)")
        state.pager = OutputFile(write: console.write, close: {})
        state.unseen = nil
        try console.write(bytes)
    }

    /// Whether a text takes more lines than the screen has, one of which is the prompt's.
    private func isLonger(_ bytes: [UInt8]) -> Bool {
        let size = console.outputSize()
        var (rows, column) = (0, 0)
        var isEscape = false
        for byte in bytes {
            if isEscape {
                // Our colors end with this; no other text begins with an escape.
                isEscape = byte != UInt8(ascii: "m")
            } else if byte == 0x1B {
                isEscape = true
            } else if byte == UInt8(ascii: "\n") {
                (rows, column) = (rows + 1, 0)
            } else if byte & 0xC0 != 0x80 {
                // A tab may take more: then the last line is missing at the top, and nothing is lost.
                if column == size.columns { (rows, column) = (rows + 1, 0) }
                column += 1
            }
            if rows >= size.rows { return true }
        }
        return false
    }
}
