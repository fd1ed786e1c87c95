// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The state of one background transfer.
///
/// Events of the app, the system and the disk go in, actions come out. No I/O, no clock, no locks.
struct TransferState {
    /// The result of a transfer.
    enum Outcome: Sendable {
        case downloaded(DownloadedFile)
        case uploaded(Response)
        /// `CumulusError` or `CancellationError`.
        case failed(any Error)
    }

    /// An action for the driver, to be performed in order.
    enum Action: Sendable {
        /// Let the system send the request.
        case resumeTask
        /// End the system's task.
        case cancelTask
        /// Verify the temporary file and move it to the destination, and report the result with `moved(_:)`.
        case moveFile
        /// Remove the record.
        case removeRecord
        /// Report the result; the last action.
        case end(Outcome)
    }

    private enum Phase {
        /// The record is being written. An ending that is reported in the meantime is kept until it is written.
        case recording(ending: Outcome?)
        case running
        /// The file is being moved, which can't be undone.
        case moving
        case over
    }

    private var phase: Phase

    private init(_ phase: Phase) { self.phase = phase }

    /// A transfer whose task has just been made: its record is written, and `recorded(_:)` called.
    static var new: TransferState { TransferState(.recording(ending: nil)) }
    /// A transfer of an earlier process, found by its record.
    static var recorded: TransferState { TransferState(.running) }

    /// Whether the result has been reported.
    var isOver: Bool { if case .over = phase { true } else { false } }
    /// Whether the transfer has a record and no result.
    var isRunning: Bool {
        switch phase {
        case .running, .moving: true
        case .recording, .over: false
        }
    }

    /// The record was written, or could not be written.
    mutating func recorded(_ error: (any Error)?) -> [Action] {
        guard case .recording(let ending) = phase else { return [] }
        if let ending = error.map({ .failed($0) }) ?? ending {
            phase = .over
            return [.cancelTask, .removeRecord, .end(ending)]
        }
        phase = .running
        return [.resumeTask]
    }

    /// The system has the task of a transfer of an earlier process, which may have ended before it resumed the task.
    mutating func found() -> [Action] {
        if case .running = phase { [.resumeTask] } else { [] }
    }

    /// The whole body of a response was received as a temporary file, with a reason to refuse it, if there is one.
    mutating func arrived(_ problem: CumulusError?) -> [Action] {
        guard case .running = phase else { return [] }
        if let problem { return end(.failed(problem)) }
        phase = .moving
        return [.moveFile]
    }

    /// The file was moved, or could not be moved.
    mutating func moved(_ outcome: Outcome) -> [Action] {
        guard case .moving = phase else { return [] }
        return end(outcome)
    }

    /// The system has ended the task: with an error, after an upload, or without a file.
    mutating func completed(_ outcome: Outcome) -> [Action] {
        switch phase {
        case .recording(nil):
            phase = .recording(ending: outcome)
            return []
        case .running: return end(outcome)
        case .recording, .moving, .over: return []
        }
    }

    /// The app cancels the transfer; without effect while its file is moved.
    mutating func cancel() -> [Action] {
        if case .running = phase { return [.cancelTask] + end(.failed(CancellationError())) }
        return completed(.failed(CancellationError()))
    }

    private mutating func end(_ outcome: Outcome) -> [Action] {
        phase = .over
        return [.removeRecord, .end(outcome)]
    }
}
