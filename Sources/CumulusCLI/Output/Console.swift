// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The command's inputs and outputs; tests replace them with memory.
struct Console: Sendable {
    /// The context that the command line's meaning depends on.
    var surroundings: Surroundings
    /// Returns at most `count` bytes of standard input; none at its end.
    var read: @Sendable (_ count: Int) async throws -> [UInt8]
    /// Whether standard input has bytes or its end now, so that reading doesn't wait.
    var inputIsReady: @Sendable () -> Bool = { false }
    /// Writes to standard output; throws ``ClosedOutput`` when nobody reads it any more.
    var write: @Sendable ([UInt8]) throws -> Void
    /// Writes a line to standard error.
    var note: @Sendable (String) -> Void
    /// Writes unchanged text to standard error, for redrawn lines.
    var draw: @Sendable (String) -> Void
    /// The current size of the terminal on standard error.
    var terminalSize: @Sendable () -> TerminalSize
    /// The clock for the pace of drawing.
    var clock: any RequestClock = SystemClock()
    /// Opens a file for writing, emptying it.
    var create: @Sendable (_ path: String) throws -> OutputFile
    /// Opens a file that replaces an existing one once it is closed; `nil` if there is none, or it can't be replaced so.
    var replace: @Sendable (_ path: String) -> OutputFile? = { _ in nil }
    /// Checks that a file can be made or written, without changing it.
    var checkCreation: @Sendable (_ path: String) throws -> Void = { _ in }
    /// Whether a path is a file that isn't empty.
    var hasContent: @Sendable (_ path: String) -> Bool = { _ in false }
    /// Asks for a password on the terminal without showing it; `nil` if there is no terminal.
    var askPassword: @Sendable (_ prompt: String) throws -> String?
    /// Asks for a line on the terminal; `nil` if there is no terminal.
    var ask: @Sendable (_ question: String) throws -> String? = {
        try TerminalPrompt.ask($0, hiding: false)
    }
    /// The current size of the terminal on standard output.
    var outputSize: @Sendable () -> TerminalSize = { .usual }
    /// Starts a pager, which shows the written text until it is closed, and ends when its reader leaves it.
    var startPager: @Sendable (_ command: String) throws -> OutputFile = PagerProcess.start
    /// Runs an editor on a file, and returns its exit status.
    var edit: @Sendable (_ editor: String, _ path: String) async throws -> Int32 = EditorProcess.run
}

extension Console {
    /// The same without output on standard error; passwords are still asked for.
    var silenced: Console {
        var console = self
        console.note = { _ in }
        console.draw = { _ in }
        return console
    }
}

/// A file that is being written.
struct OutputFile: Sendable {
    var write: @Sendable ([UInt8]) throws -> Void
    var close: @Sendable () throws -> Void
    /// Closes it before its end; returns whether the file at its path is as it was before.
    var abandon: @Sendable () -> Bool = { false }
}

/// Standard output was closed by its reader, such as `head`: not an error, only the end.
struct ClosedOutput: Error {}

/// Writing a body to its file failed.
struct OutputProblem: Error, CustomStringConvertible {
    /// `nil` is standard output.
    let path: String?
    let reason: String
    var description: String {
        "disk: \(path.map { "the file \(quoted($0))" } ?? "standard output") can't be written: \(reason)"
    }
}

/// Why a system call failed, in the system's words.
struct SystemProblem: Error, CustomStringConvertible {
    let description: String
}
