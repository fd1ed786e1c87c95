// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusNIO

@Suite struct InformationalAllowanceTests {
    /// Takes all that can be taken, and one more.
    private func drain(_ allowance: inout InformationalAllowance) -> Int {
        var count = 0
        while count < 10_000, allowance.take(20) { count += 1 }
        return count
    }

    @Test func someAreFreeAtOnce() {
        var allowance = InformationalAllowance(atOnce: 100, bytes: 10_000)
        let free = drain(&allowance)
        #expect(free == 100)
        var unpaid = InformationalAllowance(atOnce: 100, bytes: 10_000)
        unpaid.earn(sent: 16_383, after: .zero)
        let stillFree = drain(&unpaid)
        #expect(stillFree == 100)
    }

    @Test func theirBytesAreLimitedUnlessTheyArePaidFor() {
        var allowance = InformationalAllowance(atOnce: 100, bytes: 1_000)
        allowance.earn(sent: 2 * 16_384, after: .zero)
        var taken: [Bool] = []
        for bytes in [5_000, 5_000, 600, 400, 1] { taken.append(allowance.take(bytes)) }
        #expect(taken == [true, true, true, true, false])
    }

    @Test func eachSentBlockPaysForOne() {
        var allowance = InformationalAllowance(atOnce: 100, bytes: 10_000)
        allowance.earn(sent: 3 * 16_384, after: .zero)
        let first = drain(&allowance)
        #expect(first == 103)
        // A refused one is counted, too.
        allowance.earn(sent: 6 * 16_384, after: .zero)
        let second = drain(&allowance)
        #expect(second == 2)
    }

    @Test("a server that says once a second that it is at work is never refused")
    func slow() {
        var allowance = InformationalAllowance(atOnce: 100, bytes: 10_000)
        for second in 0..<5_000 {
            allowance.earn(sent: 0, after: .seconds(second))
            let isTaken = allowance.take(20)
            #expect(isTaken, "at \(second) s")
        }
    }

    @Test("a flood is refused however long it lasts")
    func flood() {
        var allowance = InformationalAllowance(atOnce: 100, bytes: 10_000)
        var count = 0
        repeat {
            allowance.earn(sent: 0, after: .milliseconds(count))
            count += 1
        } while count < 10_000 && allowance.take(20)
        // A thousand a second, of which ten are paid for.
        #expect(count == 102)
    }

    @Test("clocks that go backwards and counts out of range change nothing")
    func extremes() {
        var allowance = InformationalAllowance(atOnce: 1, bytes: 100)
        allowance.earn(sent: .min, after: .zero)
        allowance.earn(sent: -1, after: .seconds(-100_000))
        #expect(allowance.limit == 1)
        allowance.earn(sent: .max, after: .seconds(Int64.max / 4))
        allowance.earn(sent: 0, after: .zero)
        #expect(allowance.limit > 1 << 40)
    }
}
