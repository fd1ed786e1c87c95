// SPDX-License-Identifier: Apache-2.0

/// Determines a download's number of connections: the requested number, or one more as long as that makes it faster.
///
/// It starts with one. After a measuring window, another is added; if that made the download faster, so is the next. A
/// connection that made it no faster is kept, and the next one is tried later, since networks change. A refusal (429,
/// 503) or a reset removes one.
struct ConnectionPlan: Sendable {
    /// How long the throughput is measured before the next step.
    ///
    /// A second, because servers that limit their rate (nginx) send each second's bytes at once: the bytes in one half
    /// say nothing about the other.
    static let window = Duration.seconds(1)
    /// The time without another step after one that made the download no faster, or after a refusal.
    static let pause = Duration.seconds(10)
    /// How much faster the download must have become to add another connection.
    static let gain = 0.15

    private enum Phase {
        /// The last step is being measured against the previous throughput, if there is one.
        case measuring(before: Double)
        case resting(until: ContinuousClock.Instant)
    }

    /// The current limit of connections.
    private(set) var allowed: Int
    /// The bytes per second of the last window.
    private(set) var goodput = 0.0
    private var limit: Int
    private let isFixed: Bool
    private var phase = Phase.measuring(before: 0)
    private var windowStart: ContinuousClock.Instant
    private var windowBytes: Int64

    /// Starts with one connection, or with the requested number.
    ///
    /// - Parameters:
    ///   - fixed: The wanted number of connections; `nil` to determine it.
    ///   - limit: The largest number that may be determined.
    ///   - bytes: The number of bytes received on all connections so far.
    ///   - now: The current instant.
    init(fixed: Int?, limit: Int, bytes: Int64 = 0, at now: ContinuousClock.Instant) {
        self.limit = max(1, fixed ?? limit)
        isFixed = fixed != nil
        allowed = isFixed ? self.limit : 1
        windowStart = now
        windowBytes = bytes
    }

    /// When the plan should be reviewed again.
    var nextReview: ContinuousClock.Instant { windowStart.advanced(by: ConnectionPlan.window) }

    /// Reviews the bytes received since the last review, and may allow one more connection.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes received on all connections since the download began.
    ///   - running: The number of connections that have delivered bytes; fewer than allowed are not judged.
    ///   - now: The current instant.
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

    /// Removes a connection: the server refused one, or closed it.
    mutating func retreat(at now: ContinuousClock.Instant) {
        allowed = max(1, allowed - 1)
        rest(at: now)
    }

    /// Allows only one connection from now on.
    mutating func stayAlone() {
        limit = 1
        allowed = 1
    }

    /// The tenth connection can add at most a ninth: half of the possible gain is required if that is less.
    private var required: Double { allowed < 2 ? 0 : min(ConnectionPlan.gain, 0.5 / Double(allowed - 1)) }

    private mutating func step(at now: ContinuousClock.Instant) {
        allowed += 1
        phase = isFixed ? .resting(until: now.advanced(by: ConnectionPlan.pause)) : .measuring(before: goodput)
    }

    private mutating func rest(at now: ContinuousClock.Instant) {
        phase = .resting(until: now.advanced(by: ConnectionPlan.pause))
    }
}
