// SPDX-License-Identifier: Apache-2.0

/// Counts a download's attempts, restarts and fresh links, without I/O.
///
/// ``RetryRule`` decides whether and when another attempt follows, as it does for every body that breaks off.
struct DownloadRecovery: Sendable {
    /// The reaction to an error.
    enum Move: Sendable, Hashable {
        /// Get a fresh link.
        case renew
        /// Request the remaining bytes, if the rule allows the attempt with this number.
        case resume(Int)
        /// Throw the error to the caller.
        case fail
    }

    /// The circumstances of an error.
    struct Situation: Sendable, Hashable {
        /// Whether there is a function that gets a fresh link.
        var canRenew = false
        /// Whether there was a response before.
        var hasBegun = false
        /// Whether the remaining bytes may still be available after the error.
        var isResumable = true
        /// The number of existing bytes.
        var count: Int64 = 0
    }

    /// The number of bytes that must arrive after a failure for the next failure to count as the first.
    static let gain: Int64 = 1 << 20
    /// The maximum number of restarts because the file has changed, or because the server's ranges can't be trusted.
    static let restarts = 2
    static let renewals = 3

    private(set) var tries = 0
    private(set) var restarts = 0
    private(set) var renewals = 0
    private var countAtFailure: Int64 = 0

    /// Counts an error, and returns the reaction.
    mutating func move(after failure: CumulusError, in situation: Situation) -> Move {
        if situation.canRenew, failure.mayMeanExpiredLink, renewals < DownloadRecovery.renewals {
            renewals += 1
            return .renew
        }
        // Before the first byte of a call, the caller gets an error immediately.
        guard situation.isResumable, situation.hasBegun else { return .fail }
        if situation.count - countAtFailure >= DownloadRecovery.gain { tries = 0 }
        countAtFailure = situation.count
        tries += 1
        return .resume(tries)
    }

    /// Counts a new start; false if there were too many.
    mutating func startOver() -> Bool {
        restarts += 1
        guard restarts <= DownloadRecovery.restarts else { return false }
        countAtFailure = 0
        return true
    }
}
