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
        var times: [Double] = []
        var allocations: [Double] = []
        for _ in 0..<rounds {
            let before = allocation_count()
            let start = ContinuousClock.now
            for _ in 0..<runs { work() }
            let elapsed = ContinuousClock.now - start
            allocations.append(Double(allocation_count() - before) / Double(runs))
            times.append(Double(elapsed.components.attoseconds) / 1e9 / Double(runs))
        }
        let result = Result(nanoseconds: times.sorted()[rounds / 2], allocations: allocations.min() ?? 0)
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
