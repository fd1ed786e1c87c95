// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Notices when a download finds the name of its file taken: by a file from before, or by one of the same run.
final class NumberedNames: Sendable {
    private struct State {
        /// The downloads of the run, by the names that their files get if these are free.
        var owners: [String: CallID?] = [:]
        var haveBegun = false
    }

    private let state = Mutex(State())

    /// Whether a file of this run has a number, or would get one.
    var haveBegun: Bool { state.withLock(\.haveBegun) }

    /// Notes the progress of a download.
    func note(_ event: TransferProgress) {
        guard !event.isFinished, let name = event.file else { return }
        // Not its own: it gets the name at the end.
        let isTaken = PathName.isTaken(name)
        state.withLock { state in
            let isOthers = state.owners.updateValue(event.id, forKey: name).map { $0 != event.id } ?? false
            if isTaken || isOthers { state.haveBegun = true }
        }
    }
}
