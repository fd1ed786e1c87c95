// SPDX-License-Identifier: Apache-2.0

/// How often a download tries again, begins again and gets fresh links, and what an error leads to; no I/O.
struct DownloadRecovery: Sendable {
    /// What an error leads to.
    enum Move: Sendable, Hashable {
        /// A fresh link is asked for.
        case renew
        /// The next mirror takes the place of the one that failed.
        case moveOn
        /// It is asked again, after a pause.
        case wait(Duration)
        /// It was asked again as often as it may be.
        case giveUp(tries: Int)
        /// The error is the caller's.
        case fail
    }

    /// What an error meets.
    struct Situation: Sendable, Hashable {
        /// Whether there is somebody to ask for a fresh link.
        var canRenew = false
        /// Whether there is another place of the file.
        var hasMirrors = false
        /// Whether an answer has come before.
        var hasBegun = false
        /// How many bytes are there.
        var count: Int64 = 0
    }

    /// How many bytes a try must bring for the next break to be counted as the first.
    static let gain: Int64 = 1 << 20
    /// How often a download begins again because the file has changed, or the server can't be trusted with ranges.
    static let restarts = 2
    static let renewals = 3

    private let policy: RetryPolicy
    private(set) var failures = 0
    private(set) var restarts = 0
    private(set) var renewals = 0
    private var countAtFailure: Int64 = 0

    /// Tries again as often, and after the same waits, as requests are retried.
    ///
    /// It stands beside the retries of requests, since it asks for other bytes, at other places too, and starts its count
    /// again with each MiB gained; by that, and not by a budget, its load is bounded.
    init(_ policy: RetryPolicy?) { self.policy = policy ?? .never }

    /// Counts an error, and says what it leads to.
    mutating func move(after failure: CumulusError, in situation: Situation) -> Move {
        if situation.canRenew, failure.saysExpired, renewals < DownloadRecovery.renewals {
            renewals += 1
            return .renew
        }
        // A place that can't give the file is left for the next one.
        if failure.code != .disk, failure.stage != .preflight, situation.hasMirrors { return .moveOn }
        // Before the first byte of a call an error is the caller's at once.
        guard failure.isBreak, situation.hasBegun else { return .fail }
        if situation.count - countAtFailure >= DownloadRecovery.gain { failures = 0 }
        countAtFailure = situation.count
        if let limit = policy.limit, failures >= limit { return .giveUp(tries: failures) }
        failures += 1
        return .wait(policy.backoff.delay(before: failures))
    }

    /// Counts a new beginning; false if there have been enough.
    mutating func beginAnew() -> Bool {
        restarts += 1
        guard restarts <= DownloadRecovery.restarts else { return false }
        countAtFailure = 0
        return true
    }
}
