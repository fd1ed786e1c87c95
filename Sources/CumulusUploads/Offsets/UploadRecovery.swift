// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Counts the interruptions and restarts of an upload, and determines the waits, without I/O.
struct UploadRecovery: Sendable {
    /// The most restarts because the server no longer has the upload.
    static let restarts = 2

    /// The number of bytes that must arrive between two interruptions for the second to count as the first.
    static let gain: Int64 = 1 << 20

    private(set) var restarts = 0
    private(set) var failures = 0
    private var offsetAtFailure: Int64 = 0

    /// The wait before the server's offset is requested; `nil` if the policy allows no further attempt.
    ///
    /// An interruption after a gain of enough bytes counts as the first one: not after any gain, or a server could have
    /// the same bytes sent over and over.
    mutating func wait(
        after failure: CumulusError,
        at offset: Int64,
        gain: Int64,
        elapsed: Duration,
        by policy: RetryPolicy
    ) -> Duration? {
        if offset - offsetAtFailure >= min(gain, UploadRecovery.gain) {
            failures = 0
            offsetAtFailure = offset
        }
        failures += 1
        guard failures <= policy.limit ?? .max else { return nil }
        var wait = policy.backoff.delay(before: failures)
        if let requested = failure.response?.headers[.retryAfter].flatMap({ Int64($0) }), requested >= 0 {
            wait = .seconds(requested)
        }
        if let most = policy.maxWait, wait > most { return nil }
        if let most = policy.maxTime, elapsed + wait > most { return nil }
        return wait
    }

    /// Counts a restart; false if there were too many.
    mutating func startOver() -> Bool {
        restarts += 1
        offsetAtFailure = 0
        return restarts <= UploadRecovery.restarts
    }
}
