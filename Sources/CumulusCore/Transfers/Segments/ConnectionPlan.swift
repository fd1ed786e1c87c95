// SPDX-License-Identifier: Apache-2.0

/// How many connections a download should have: a given number, or one more for as long as it pays.
///
/// It begins with one. When a window has passed, another is added; if that made the whole faster, so is the next. One
/// that brought nothing is kept, and the next try comes later, since a network changes. A refusal (429, 503) or a reset
/// takes one away.
struct ConnectionPlan: Sendable {
    /// How long the goodput is measured before the next step.
    ///
    /// A second, because servers that limit their rate (nginx) let a connection have each second's bytes at once: what
    /// came in half of one says nothing of the other.
    static let window = Duration.seconds(1)
    /// How long nothing is tried after a step that didn't pay, or a refusal.
    static let pause = Duration.seconds(10)
    /// How much faster the whole must have become for one more.
    static let gain = 0.15

    private enum Phase {
        /// The last step is being measured against the goodput before it, where there was one.
        case measuring(before: Double)
        case resting(until: ContinuousClock.Instant)
    }

    /// How many connections there may be now.
    private(set) var allowed: Int
    /// Bytes a second over the last window.
    private(set) var goodput = 0.0
    private var limit: Int
    private let isFixed: Bool
    private var phase = Phase.measuring(before: 0)
    private var windowStart: ContinuousClock.Instant
    private var windowBytes: Int64

    /// Begins with one connection, or with the number given.
    ///
    /// - Parameters:
    ///   - fixed: How many connections are wanted; `nil` to find out.
    ///   - limit: The most that there may be, where the number is to be found out.
    ///   - bytes: How much has been received by all so far.
    ///   - now: The present instant.
    init(fixed: Int?, limit: Int, bytes: Int64 = 0, at now: ContinuousClock.Instant) {
        self.limit = max(1, fixed ?? limit)
        isFixed = fixed != nil
        allowed = isFixed ? self.limit : 1
        windowStart = now
        windowBytes = bytes
    }

    /// When the plan is to be looked at again.
    var nextReview: ContinuousClock.Instant { windowStart.advanced(by: ConnectionPlan.window) }

    /// Looks at what has come since the last review, and may allow one more.
    ///
    /// - Parameters:
    ///   - bytes: How much has been received by all since the download began.
    ///   - running: How many connections have given bytes; fewer than allowed are not judged.
    ///   - now: The present instant.
    mutating func review(bytes: Int64, running: Int, at now: ContinuousClock.Instant) {
        guard now >= nextReview else { return }
        goodput = Double(bytes - windowBytes) / ((now - windowStart) / .seconds(1))
        windowStart = now
        windowBytes = bytes
        guard allowed < limit else { return }
        switch phase {
        case .resting(let end):
            guard now >= end else { return }
            step(at: now)
        case .measuring(let before):
            guard running >= allowed, goodput > 0, !isFixed else { return }
            if goodput >= before * (1 + required) { step(at: now) } else { rest(at: now) }
        }
    }

    /// One connection fewer: the server refused one, or broke it off.
    mutating func retreat(at now: ContinuousClock.Instant) {
        allowed = max(1, allowed - 1)
        rest(at: now)
    }

    /// No more than one from now on.
    mutating func stayAlone() {
        limit = 1
        allowed = 1
    }

    /// The tenth connection can't add more than a ninth: half of what is possible will do where that is less.
    private var required: Double { allowed < 2 ? 0 : min(ConnectionPlan.gain, 0.5 / Double(allowed - 1)) }

    private mutating func step(at now: ContinuousClock.Instant) {
        allowed += 1
        phase = isFixed ? .resting(until: now.advanced(by: ConnectionPlan.pause)) : .measuring(before: goodput)
    }

    private mutating func rest(at now: ContinuousClock.Instant) {
        phase = .resting(until: now.advanced(by: ConnectionPlan.pause))
    }
}
