// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Counts the interruptions and restarts of an upload, and determines the waits.
struct UploadRecovery: Sendable {
    /// The maximum number of restarts because the server no longer has the upload.
    static let restarts = 2

    /// The maximum number of successive successful responses without a new byte at the server, whatever the policy.
    static let stalls = 3

    /// The number of bytes that must arrive after an interruption for the count to start over.
    static let gain: Int64 = 1 << 20

    private(set) var restarts = 0
    private(set) var failures = 0
    private var offsetAtFailure: Int64 = 0
    private var stalls = 0
    private var offsetAtStall: Int64 = -1

    /// The wait before the server's offset is requested; `nil` if the policy or the deadline allows no further attempt.
    ///
    /// An interruption counts as the first one only after a sufficient gain of bytes. If any gain were sufficient, a
    /// server could make the client send the same bytes indefinitely.
    mutating func wait(after failure: CumulusError, at offset: Int64, gain: Int64, in run: UploadRun) -> Duration? {
        if offset - offsetAtFailure >= min(gain, UploadRecovery.gain) {
            failures = 0
            offsetAtFailure = offset
        }
        failures += 1
        let policy = run.retry
        guard failures <= policy.limit ?? .max, !isStalled(after: failure, at: offset) else { return nil }
        let requested = failure.response?.requestedWait
        let wait = requested ?? policy.backoff.delay(before: failures)
        // The backoff has its own maximum.
        if requested != nil, let most = policy.maxWait, wait > most { return nil }
        if let most = policy.maxTime, run.elapsed + wait > most { return nil }
        if let left = run.timeLeft, left <= wait { return nil }
        return run.takeRetry(after: failure) ? wait : nil
    }

    /// Whether the server repeatedly accepts pieces without storing any of their bytes.
    private mutating func isStalled(after failure: CumulusError, at offset: Int64) -> Bool {
        guard failure.code == .incomplete, failure.response?.isSuccessful == true else { return false }
        stalls = offset > offsetAtStall ? 1 : stalls + 1
        offsetAtStall = offset
        return stalls > UploadRecovery.stalls
    }

    /// Counts a restart; false if there were too many.
    mutating func startOver() -> Bool {
        restarts += 1
        (offsetAtFailure, offsetAtStall) = (0, -1)
        return restarts <= UploadRecovery.restarts
    }
}
