// SPDX-License-Identifier: Apache-2.0

/// Decides which of several identical requests is used: a state machine without I/O and without a clock.
///
/// The first request has the number 0.
struct HedgeRace {
    /// How a request ended.
    enum Outcome {
        /// By a response, which is used immediately or only if no other request does better.
        case answered(counts: Bool)
        case failed
    }

    enum Step: Hashable {
        case wait
        /// This request's response is used.
        case deliver(Int)
        /// All requests have failed.
        case fail
    }

    private var running: Set<Int> = [0]
    private var left: Int
    private(set) var sent = 0
    /// The first response that is used only if no other request does better.
    private var kept: Int?

    init(extra: Int) { left = extra }

    /// Whether there may be another request.
    var mayHedge: Bool { left > 0 && !running.isEmpty }

    /// Adds a request, and returns its number.
    mutating func hedge() -> Int {
        left -= 1
        sent += 1
        running.insert(sent)
        return sent
    }

    /// No other request can be sent.
    mutating func giveUp() { left = 0 }

    /// Records that a request has ended.
    mutating func end(_ number: Int, _ outcome: Outcome) -> Step {
        running.remove(number)
        switch outcome {
        case .answered(counts: true): return .deliver(number)
        case .answered(counts: false): kept = kept ?? number
        case .failed: break
        }
        guard running.isEmpty else { return .wait }
        return kept.map { .deliver($0) } ?? .fail
    }
}
