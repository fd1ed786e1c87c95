// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite struct RetryBackoffTests {
    @Test func itDoublesUpToItsCap() {
        let backoff = RetryBackoff(jitter: { 1 })
        let waits = (1...9).map { backoff.delay(before: $0) }
        let expected: [Duration] = [300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 20_000, 20_000].map {
            .milliseconds($0)
        }
        #expect(waits == expected)
    }

    @Test("the whole wait is random", arguments: [0, 0.25, 0.5, 1])
    func jitter(part: Double) {
        #expect(RetryBackoff(jitter: { part }).delay(before: 3) == .milliseconds(1_200) * part)
    }

    @Test("an invalid fraction counts as one", arguments: [-1, 2, .infinity, .nan, -.infinity] as [Double])
    func odd(part: Double) {
        let wait = RetryBackoff(base: .seconds(1), jitter: { part }).delay(before: 1)
        #expect(wait == .zero || wait == .seconds(1))
    }

    @Test("no number of retries overflows", arguments: [Int.min, -5, 0, 1, 100, Int.max])
    func large(retry: Int) {
        for part in [1, 0.5, 0.999] {
            let backoff = RetryBackoff(base: .seconds(Int64.max / 2), cap: .seconds(Int64.max), jitter: { part })
            let wait = backoff.delay(before: retry)
            #expect(.seconds(15_000_000) < wait && wait <= .seconds(31_536_000))
        }
        #expect(RetryBackoff(base: .zero, cap: .seconds(1)).delay(before: retry) == .zero)
        #expect(RetryBackoff(base: .seconds(-1), cap: .seconds(-1)).delay(before: retry) == .zero)
    }

    @Test func byDefaultItIsWithinItsBounds() {
        for retry in 1...20 {
            let wait = RetryBackoff().delay(before: retry)
            #expect(.zero <= wait && wait <= .seconds(20))
        }
    }
}
