// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// How many retries an origin gets.
@Suite struct RetryBudgetsTests {
    private static let origin = Origin(scheme: .https, host: "a.example")
    private static let other = Origin(scheme: .https, host: "b.example")

    @Test("a burst, then a share of the calls")
    func share() {
        let (budgets, budget, now) = (RetryBudgets(), RetryBudget(burst: 10, share: 0.2, perSecond: 0), Moment.now)
        var taken = 0
        func take(_ count: Int, calls: UInt64) {
            for _ in 0..<count where budgets.take(1, from: Self.origin, of: budget, load: (calls, 0), at: now) {
                taken += 1
            }
        }
        take(100, calls: 1)
        #expect(taken == 10)
        take(100, calls: 11)
        #expect(taken == 12)
        // Never more than the burst at once, however many calls there were.
        take(100, calls: 1_000_000)
        #expect(taken == 22)
    }

    @Test("each second adds to it, and a clock that goes back does not")
    func seconds() {
        let (budgets, budget, now) = (RetryBudgets(), RetryBudget(burst: 2, share: 0, perSecond: 1), Moment.now)
        func take(_ seconds: Double) -> Bool {
            budgets.take(1, from: Self.origin, of: budget, load: (0, 0), at: now + .seconds(seconds))
        }
        #expect(
            [take(0), take(0), take(0.5), take(1), take(1.5), take(0), take(2)] == [
                true, true, false, true, false, false, true,
            ]
        )
    }

    @Test("a retry after a time limit counts twice, and each origin has its own")
    func costs() {
        let (budgets, budget, now) = (RetryBudgets(), RetryBudget(burst: 3, share: 0, perSecond: 0), Moment.now)
        #expect(budgets.take(2, from: Self.origin, of: budget, load: (0, 0), at: now))
        #expect(!budgets.take(2, from: Self.origin, of: budget, load: (0, 0), at: now))
        #expect(budgets.take(1, from: Self.origin, of: budget, load: (0, 0), at: now))
        #expect(budgets.take(2, from: Self.other, of: budget, load: (0, 0), at: now))
    }

    @Test("it remembers a limited number of origins, the latest")
    func bounded() {
        let (budgets, budget, now) = (RetryBudgets(), RetryBudget(burst: 1, share: 0, perSecond: 0), Moment.now)
        for index in 0..<1_000 {
            let origin = Origin(scheme: .https, host: "h\(index).example")
            #expect(budgets.take(1, from: origin, of: budget, load: (0, 0), at: now + .seconds(index)))
        }
        #expect(budgets.count == RetryBudgets.mostOrigins)
        let last = Origin(scheme: .https, host: "h999.example")
        #expect(!budgets.take(1, from: last, of: budget, load: (0, 0), at: now + .seconds(1_000)))
    }

    @Test("the transport's own repetitions are paid for, with a debt no larger than the burst")
    func repetitions() {
        let (budgets, budget, now) = (RetryBudgets(), RetryBudget(burst: 10, share: 0.2, perSecond: 0), Moment.now)
        func taken(calls: UInt64, repetitions: UInt64) -> Int {
            (0..<100).count { _ in
                budgets.take(1, from: Self.origin, of: budget, load: (calls, repetitions), at: now)
            }
        }
        #expect(taken(calls: 1, repetitions: 4) == 6)
        #expect(taken(calls: 1, repetitions: 4) == 0)
        // A hundred calls earn twenty, more than there may be at once.
        #expect(taken(calls: 101, repetitions: 4) == 10)
        #expect(taken(calls: 101, repetitions: 7) == 0)
        #expect(taken(calls: 126, repetitions: 7) == 2)
        #expect(taken(calls: 126, repetitions: 1_000_000) == 0)
        #expect(taken(calls: 186, repetitions: 1_000_000) == 2)
        // A late caller with an older count adds nothing.
        #expect(taken(calls: 100, repetitions: 3) == 0)
    }

    @Test("a burst of one allows the retry of a timeout, and a burst of none allows nothing")
    func cappedCosts() {
        let now = Moment.now
        for (burst, expected) in [(0, [false, false]), (1, [true, false])] {
            let (budgets, budget) = (RetryBudgets(), RetryBudget(burst: burst, share: 0, perSecond: 0))
            let taken = (0..<2).map { _ in budgets.take(2, from: Self.origin, of: budget, load: (0, 0), at: now) }
            #expect(taken == expected)
        }
    }

    @Test("a reading changes nothing")
    func reading() {
        let (budgets, budget, now) = (RetryBudgets(), RetryBudget(burst: 10, share: 0.5, perSecond: 1), Moment.now)
        func left(_ load: RetryBudgets.Load, at now: Moment) -> Int {
            budgets.left(of: Self.origin, of: budget, load: load, at: now)
        }
        #expect(left((0, 0), at: now) == 10)
        #expect(budgets.take(8, from: Self.origin, of: budget, load: (0, 0), at: now))
        for _ in 0..<2 {
            #expect(left((0, 0), at: now) == 2)
            #expect(left((5, 0), at: now) == 4)
            #expect(left((0, 3), at: now) == 0)
            #expect(left((0, 0), at: now + .seconds(3)) == 5)
        }
        #expect(budgets.left(of: Self.origin, of: RetryBudget(burst: .max), load: (0, 0), at: now) == 2)
        let other = Origin(scheme: .http, host: "other.example")
        #expect(budgets.left(of: other, of: RetryBudget(burst: .max), load: (0, 0), at: now) == .max)
    }

    @Test func oddNumbersAreNothing() {
        let budget = RetryBudget(burst: -1, share: -.infinity, perSecond: .nan)
        #expect(budget == RetryBudget(burst: 0, share: 0, perSecond: 0))
        #expect(!RetryBudgets().take(1, from: Self.origin, of: budget, load: (.max, 0), at: .now))
    }
}
