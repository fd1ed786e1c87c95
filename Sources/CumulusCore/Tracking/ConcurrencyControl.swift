// SPDX-License-Identifier: Apache-2.0

/// Finds how many requests a server can handle at once, from the times of its responses: no clock, no lock.
struct ConcurrencyControl: Sendable {
    /// The outcome of a request.
    enum Outcome: Sendable, Hashable {
        /// A head arrived.
        case answered
        /// 429, 503, or a time limit that passed.
        case refused
    }

    /// Times below this are treated as equal: the machine's own noise is as long.
    static let shortest: Duration = .milliseconds(1)

    /// An upper bound above any program's number of connections.
    static let most = 1_000_000

    let options: AdaptiveConcurrency
    private var exact: Double
    /// The shortest time to a head; it rises slowly, once per round, to follow a server that has become permanently
    /// slower.
    private(set) var baseline: Duration?
    /// Whether nothing has been refused yet, so that the limit may still double.
    private var isSearching = true
    private var lastCut: Moment?
    private var lastCreep: Moment?

    init(_ options: AdaptiveConcurrency) {
        self.options = options
        exact = Double(min(max(options.start, 1), ConcurrencyControl.most))
    }

    /// How many may run at once.
    var limit: Int { Int(exact) }

    /// Records a request.
    ///
    /// - Parameters:
    ///   - outcome: The request's outcome.
    ///   - began: When it was sent.
    ///   - running: How many requests ran when its response arrived, including itself.
    ///   - now: When its response arrived.
    mutating func note(_ outcome: Outcome, began: Moment, running: Int, at now: Moment) {
        guard outcome == .answered else { return cut(by: 2.0 / 3, began, now) }
        let latency = max(now - began, ConcurrencyControl.shortest)
        guard let known = baseline, latency > known else {
            baseline = latency
            return grow(running)
        }
        if lastCreep.map({ began >= $0 }) ?? true {
            baseline = known + (latency - known) / 20
            lastCreep = now
        }
        if latency > known * options.tolerance { cut(by: 0.9, began, now) } else { grow(running) }
    }

    private mutating func grow(_ running: Int) {
        // A limit that isn't used says nothing about the server's capacity.
        guard running * 2 >= limit else { return }
        exact = min(
            exact + (isSearching ? 1 : 1 / exact),
            Double(min(options.range.upperBound, ConcurrencyControl.most))
        )
    }

    /// Reduces the limit once for all requests that were running at the same time.
    private mutating func cut(by factor: Double, _ began: Moment, _ now: Moment) {
        if let lastCut, began < lastCut { return }
        lastCut = now
        isSearching = false
        exact = max(exact * factor, Double(min(max(options.range.lowerBound, 1), ConcurrencyControl.most)))
    }
}
