// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Dispatch

/// A plan of `cumulus edit`.
struct EditPlan: Sendable {
    /// The request for the document.
    var request: Plan
    /// How the change is sent.
    var method: UpdateMethod
    /// Whether a weak entity tag also guards the change.
    var sendsWeakTags: Bool
    /// Whether a document without a tag is written all the same.
    var isUnguarded: Bool
    /// Whether the change is written without asking.
    var isApproved: Bool
    /// The editor, as a shell command.
    var editor: String
    /// The folder of the text while it is edited.
    var folder: String
    var isQuiet: Bool
}

/// Why a document was not written.
struct EditProblem: Error, CustomStringConvertible {
    let reason: String
    var description: String { "edit: \(reason)" }
}

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
