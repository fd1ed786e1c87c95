// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// An editor in the terminal of this process.
enum EditorProcess {
    /// Runs an editor, given as a shell command, on a file, and waits for its end.
    ///
    /// - Returns: The editor's exit status.
    /// - Throws: ``EditProblem`` if it can't be started.
    static func run(_ editor: String, on path: String) async throws -> Int32 {
        let child: Int32
        do {
            child = try ShellProcess.start(["sh", "-c", "\(editor) \"$@\"", editor, path])
        } catch {
            throw EditProblem(reason: "the editor can't be started: \(error)")
        }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: ShellProcess.status(of: child)) }
        }
    }
}
