// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

/// Writes a download's record while it runs, at most once a second, without delaying the receiver.
final class DownloadJournal: Sendable {
    private struct State {
        var latest: ContinuousClock.Instant
        var isBusy = false
    }

    private static let interval = Duration.seconds(1)
    private static let first = Duration.milliseconds(100)

    private let file: DownloadFile
    private let clock: any RequestClock
    private let state: Mutex<State>

    init(_ file: DownloadFile, clock: any RequestClock) {
        self.file = file
        self.clock = clock
        // The first record is written early, so that even a download killed in its first second can resume; small
        // downloads have finished by then.
        state = Mutex(State(latest: clock.now - DownloadJournal.interval + DownloadJournal.first))
    }

    /// Writes the record if it is due; the bytes that it lists must have been written.
    func note(_ record: () -> DownloadRecord) {
        let now = clock.now
        let isTime = state.withLock { state in
            guard !state.isBusy, now - state.latest >= DownloadJournal.interval else { return false }
            state.isBusy = true
            state.latest = now
            return true
        }
        guard isTime else { return }
        file.queue.post { [file, record = record(), self] in
            // If a record can't be written, the previous one stays, and is still true.
            try? file.write(record)
            state.withLock { $0.isBusy = false }
        }
    }
}
