// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite(.serialized) struct ConnectionPlanTests {
    private let start = ContinuousClock.now

    /// Passes windows with this total throughput per second; returns how many connections are allowed then.
    private func run(
        _ plan: inout ConnectionPlan,
        windows: Int,
        from first: Int = 0,
        bytes: inout Int64,
        rate: (Int) -> Double
    ) -> [Int] {
        (1...windows).map { window in
            bytes += Int64(rate(plan.allowed) * (ConnectionPlan.window / .seconds(1)))
            let now = start.advanced(by: ConnectionPlan.window * (first + window))
            plan.review(bytes: bytes, running: plan.allowed, at: now)
            return plan.allowed
        }
    }

    @Test func itAddsOneAWindowWhileEachBringsMore() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        var bytes: Int64 = 0
        #expect(plan.allowed == 1)
        let course = run(&plan, windows: 8, bytes: &bytes) { Double($0) * 20e6 }
        #expect(course == [2, 3, 4, 5, 6, 6, 6, 6])
        #expect(plan.goodput == 120e6)
    }

    @Test func itStopsWhereTheLineIsFull() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        var bytes: Int64 = 0
        #expect(run(&plan, windows: 6, bytes: &bytes) { min(Double($0) * 20, 50) * 1e6 } == [2, 3, 4, 4, 4, 4])
    }

    @Test func oneThatBringsNothingEndsTheSearch() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        var bytes: Int64 = 0
        #expect(run(&plan, windows: 4, bytes: &bytes) { _ in 100e6 } == [2, 2, 2, 2])
    }

    @Test func fifteenPercentAreEnoughAndLessAreNot() {
        for (gain, expected) in [(1.16, 3), (1.14, 2)] {
            var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
            var bytes: Int64 = 0
            let course = run(&plan, windows: 2, bytes: &bytes) { $0 == 1 ? 100e6 : 100e6 * gain }
            #expect(course.last == expected)
        }
    }

    @Test func afterAPauseItTriesAgain() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        var bytes: Int64 = 0
        _ = run(&plan, windows: 2, bytes: &bytes) { _ in 100e6 }
        let later = run(&plan, windows: 12, from: 2, bytes: &bytes) { _ in 100e6 }
        #expect(later[8] == 2)
        #expect(later[9] == 3, "ten seconds after the step that brought nothing")
    }

    @Test func manyConnectionsNeedNotEachAddFifteenPercent() {
        var plan = ConnectionPlan(fixed: nil, limit: 16, at: start)
        var bytes: Int64 = 0
        #expect(run(&plan, windows: 15, bytes: &bytes) { Double($0) * 20e6 }.last == 16)
    }

    @Test func nothingIsJudgedUntilAllThatAreAllowedGiveBytes() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        plan.review(bytes: 10_000_000, running: 1, at: start.advanced(by: .seconds(1)))
        #expect(plan.allowed == 2)
        plan.review(bytes: 30_000_000, running: 1, at: start.advanced(by: .seconds(2)))
        #expect(plan.allowed == 2)
        plan.review(bytes: 50_000_000, running: 2, at: start.advanced(by: .seconds(3)))
        #expect(plan.allowed == 3)
    }

    @Test func nothingIsAddedWhileNothingComes() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        var bytes: Int64 = 0
        #expect(run(&plan, windows: 3, bytes: &bytes) { _ in 0 } == [1, 1, 1])
    }

    @Test func aReviewThatComesTooSoonIsNone() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        plan.review(bytes: 10_000_000, running: 1, at: start.advanced(by: .milliseconds(999)))
        #expect(plan.allowed == 1)
        #expect(plan.nextReview == start.advanced(by: .seconds(1)))
    }

    @Test func aRefusalTakesOneAwayAndNoneComesForAWhile() {
        var plan = ConnectionPlan(fixed: nil, limit: 6, at: start)
        var bytes: Int64 = 0
        _ = run(&plan, windows: 3, bytes: &bytes) { Double($0) * 20e6 }
        #expect(plan.allowed == 4)
        plan.retreat(at: start.advanced(by: .seconds(3)))
        #expect(plan.allowed == 3)
        let later = run(&plan, windows: 11, from: 3, bytes: &bytes) { Double($0) * 20e6 }
        #expect(later[8] == 3)
        #expect(later[9] == 4)
        for _ in 0..<10 { plan.retreat(at: start) }
        #expect(plan.allowed == 1)
    }

    @Test func aGivenNumberIsThereAtOnceAndStays() {
        var plan = ConnectionPlan(fixed: 8, limit: 6, at: start)
        var bytes: Int64 = 0
        #expect(plan.allowed == 8)
        #expect(run(&plan, windows: 3, bytes: &bytes) { _ in 1 } == [8, 8, 8])
        plan.retreat(at: start.advanced(by: .seconds(3)))
        let later = run(&plan, windows: 10, from: 3, bytes: &bytes) { _ in 1 }
        #expect(later[8] == 7)
        #expect(later[9] == 8)
    }

    @Test func aloneItStaysAlone() {
        var plan = ConnectionPlan(fixed: 8, limit: 6, at: start)
        plan.stayAlone()
        var bytes: Int64 = 0
        #expect(run(&plan, windows: 30, bytes: &bytes) { _ in 1e6 }.allSatisfy { $0 == 1 })
        #expect(ConnectionPlan(fixed: 0, limit: 6, at: start).allowed == 1)
    }
}
