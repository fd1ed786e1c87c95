// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization
import os

/// Shows each call as an interval in Instruments, and logs its end to the system's log.
nonisolated final class CallSignposts: Sendable {
    private let signposter: OSSignposter
    private let logger: os.Logger
    private let calls = Mutex<[CallID: OSSignpostID]>([:])

    init(subsystem: String) {
        signposter = OSSignposter(subsystem: subsystem, category: "calls")
        logger = os.Logger(subsystem: subsystem, category: "calls")
    }

    /// An observer for a resource's `observers`.
    func observe(_ event: CallEvent) {
        switch event.kind {
        case .started:
            let interval = signposter.makeSignpostID()
            signposter.beginInterval("call", id: interval)
            calls.withLock { $0[event.id] = interval }
        case .ended(let outcome):
            if let interval = calls.withLock({ $0.removeValue(forKey: event.id) }) {
                signposter.endInterval("call", .beginState(id: interval))
            }
            // Neither of them contains secrets.
            logger.info("\(event.draft.description, privacy: .public): \(outcome.description, privacy: .public)")
        default: break
        }
    }
}
