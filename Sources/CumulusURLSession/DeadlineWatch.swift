// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Finds out which deadline of an exchange has passed.
///
/// No I/O, no clock, no locks.
struct DeadlineWatch {
    typealias Instant = ContinuousClock.Instant

    /// A limit that has passed.
    enum Excess: Equatable {
        case total
        case response(elapsed: Duration)
        case idle(elapsed: Duration)
    }

    /// A check that comes later than this didn't come because the process was suspended.
    static let tolerance = Duration.seconds(1)

    let deadlines: TransportDeadlines
    /// When the session last reported something.
    private(set) var lastActivity: Instant
    /// When bytes were last sent, as far as the session reports.
    private(set) var lastSent: Instant
    /// Whether the session waits for a network, which is not the peer's silence.
    private var isWaitingForNetwork = false
    /// Whether the current silence has begun again after a suspension.
    private var hasRestarted = false

    init(_ deadlines: TransportDeadlines, at now: Instant) {
        self.deadlines = deadlines
        (lastActivity, lastSent) = (now, now)
    }

    /// The session reported something.
    mutating func noteActivity(at now: Instant) {
        lastActivity = now
        (isWaitingForNetwork, hasRestarted) = (false, false)
    }

    /// The session reported that bytes were sent.
    mutating func noteSending() { lastSent = lastActivity }

    /// The session waits for a network until it reports something else.
    mutating func noteMissingNetwork() { isWaitingForNetwork = true }

    /// A check happens that was planned for an earlier instant.
    ///
    /// A process that was suspended, as an app in the background, couldn't receive anything meanwhile. Its silence begins
    /// again, once until the peer is heard from.
    mutating func wake(at now: Instant, planned: Instant) {
        guard !hasRestarted, now > planned.advanced(by: Self.tolerance) else { return }
        hasRestarted = true
        (lastActivity, lastSent) = (now, now)
    }

    /// The time of the next check, while the exchange waits for a phase of its peer.
    func next(awaiting phase: TransportFailure.Phase?, at now: Instant) -> Instant? {
        // While no reader waits for the peer, its silence doesn't count, but it may count again later.
        let isSilent = phase != nil && !isWaitingForNetwork
        let idle = deadlines.idle.map { (isSilent ? lastActivity : now).advanced(by: $0) }
        let head = phase == .response ? deadlines.response : nil
        let response = head.map { (isWaitingForNetwork ? now : lastSent).advanced(by: $0) }
        return [idle, response, deadlines.total].compactMap { $0 }.min()
    }

    /// The limit that has passed; `nil` if none has.
    func excess(awaiting phase: TransportFailure.Phase, at now: Instant) -> Excess? {
        if let total = deadlines.total, now >= total { return .total }
        if isWaitingForNetwork { return nil }
        if phase == .response, let limit = deadlines.response, now >= lastSent.advanced(by: limit) {
            return .response(elapsed: lastSent.duration(to: now))
        }
        guard let idle = deadlines.idle, now >= lastActivity.advanced(by: idle) else { return nil }
        return .idle(elapsed: lastActivity.duration(to: now))
    }
}
