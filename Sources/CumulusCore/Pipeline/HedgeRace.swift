// SPDX-License-Identifier: Apache-2.0

/// Which of several requests for the same thing counts: a state machine without I/O and without a clock.
///
/// The first request has the number 0.
struct HedgeRace {
    /// How a request ended.
    enum Outcome {
        /// By an answer, which counts at once or only if no other request does better.
        case answered(counts: Bool)
        case failed
    }

    enum Step: Hashable {
        case wait
        /// This request's answer is taken.
        case deliver(Int)
        /// All have failed.
        case fail
    }

    private var running: Set<Int> = [0]
    private var left: Int
    private(set) var sent = 0
    /// The first answer that is taken only if no other request does better.
    private var kept: Int?

    init(extra: Int) { left = extra }

    /// Whether there may be another request.
    var mayHedge: Bool { left > 0 && !running.isEmpty }

    /// Another request is sent: its number.
    mutating func hedge() -> Int {
        left -= 1
        sent += 1
        running.insert(sent)
        return sent
    }

    /// No other request can be sent.
    mutating func giveUp() { left = 0 }

    /// A request has ended.
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
