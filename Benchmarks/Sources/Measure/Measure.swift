// SPDX-License-Identifier: Apache-2.0

private import AllocationCount

/// Runs a piece of work many times in several rounds, and tells the median round.
public struct Measure: Sendable {
    /// What one run costs.
    public struct Result: Sendable {
        /// Nanoseconds a run, of the median round.
        public let nanoseconds: Double
        /// Allocations a run, of the round with the fewest.
        public let allocations: Double
    }

    private let rounds: Int

    /// Makes a measure of so many rounds.
    public init(rounds: Int = 9) { self.rounds = rounds }

    /// Measures work that doesn't wait.
    ///
    /// - Parameters:
    ///   - name: What to print.
    ///   - runs: How often a round runs it.
    ///   - work: The work.
    /// - Returns: The cost of one run.
    @discardableResult
    public func run(_ name: String, times runs: Int, _ work: () -> Void) -> Result {
        for _ in 0..<runs / 10 { work() }
        var tally = Tally()
        for _ in 0..<rounds {
            tally.begin()
            for _ in 0..<runs { work() }
            tally.end(runs)
        }
        return report(name, tally)
    }

    /// Measures work that may wait; otherwise as for work that doesn't.
    @discardableResult
    public func run(_ name: String, times runs: Int, _ work: () async throws -> Void) async throws -> Result {
        for _ in 0..<runs / 10 { try await work() }
        var tally = Tally()
        for _ in 0..<rounds {
            tally.begin()
            for _ in 0..<runs { try await work() }
            tally.end(runs)
        }
        return report(name, tally)
    }

    /// The figures of the rounds so far.
    private struct Tally {
        var times: [Double] = []
        var allocations: [Double] = []
        private var before = 0
        private var start = ContinuousClock.now

        mutating func begin() {
            before = Int(allocation_count())
            start = .now
        }

        mutating func end(_ runs: Int) {
            let elapsed = ContinuousClock.now - start
            allocations.append(Double(Int(allocation_count()) - before) / Double(runs))
            let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
            times.append(seconds * 1e9 / Double(runs))
        }
    }

    private func report(_ name: String, _ tally: Tally) -> Result {
        let result = Result(
            nanoseconds: tally.times.sorted()[rounds / 2],
            allocations: tally.allocations.min() ?? 0
        )
        let padded = name + String(repeating: " ", count: max(1, 58 - name.count))
        print("\(padded)\(format(result.nanoseconds)) ns   \(format(result.allocations)) allocations")
        return result
    }

    private func format(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let text = "\(tenths / 10).\(tenths % 10)"
        return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
}
