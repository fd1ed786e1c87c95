// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The command's ways in and out; tests put memory in their place.
struct Console: Sendable {
    /// What the meaning of the command line depends on.
    var surroundings: Surroundings
    /// Gives the next bytes of standard input, at most so many; none at its end.
    var read: @Sendable (_ count: Int) async throws -> [UInt8]
    /// Whether standard input has bytes or its end now, so that nobody would wait.
    var inputIsReady: @Sendable () -> Bool = { false }
    /// Writes to standard output; ``ClosedOutput`` when nobody reads it any more.
    var write: @Sendable ([UInt8]) throws -> Void
    /// Writes a line to standard error.
    var note: @Sendable (String) -> Void
    /// Writes to standard error as it is, for what is redrawn.
    var draw: @Sendable (String) -> Void
    /// How large the terminal on standard error is now.
    var terminalSize: @Sendable () -> TerminalSize
    /// What the pace of drawing is taken from.
    var clock: any RequestClock = SystemClock()
    /// Opens a file for writing, emptying it.
    var create: @Sendable (_ path: String) throws -> OutputFile
    /// Asks for a password on the terminal without showing it; `nil` if there is no terminal.
    var askPassword: @Sendable (_ prompt: String) throws -> String?
    /// Asks for a line on the terminal; `nil` if there is no terminal.
    var ask: @Sendable (_ question: String) throws -> String? = {
        try TerminalPrompt.ask($0, hiding: false)
    }
    /// How large the terminal on standard output is now.
    var outputSize: @Sendable () -> TerminalSize = { .usual }
    /// Starts a pager, which shows what is written until it is closed, and ends when its reader has seen enough.
    var startPager: @Sendable (_ command: String) throws -> OutputFile = PagerProcess.start
    /// Runs an editor on a file, and gives its exit status.
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
}

/// Standard output was closed by its reader, `head` for example: no error, only the end.
struct ClosedOutput: Error {}

/// The file that a body is written to took no more.
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
