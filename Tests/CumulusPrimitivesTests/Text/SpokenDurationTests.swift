// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Testing

@Suite struct SpokenDurationTests {
    @Test(arguments: [
        (Duration.zero, "0 s"), (.nanoseconds(1), "0.1 ms"), (.microseconds(1_540), "1.5 ms"),
        (.milliseconds(10), "10 ms"),
        (.microseconds(249_600), "250 ms"), (.microseconds(999_400), "999 ms"), (.microseconds(999_600), "1 s"),
        (.milliseconds(1_250), "1.3 s"), (.seconds(10), "10 s"), (.milliseconds(10_004), "10 s"),
        (.seconds(59.97), "1 min"),
        (.seconds(125), "2 min 5 s"), (.seconds(3_600), "1 h"), (.seconds(5_430), "1 h 31 min"),
        (.milliseconds(-250), "-250 ms"), (.seconds(Int64.max), "forever"),
    ])
    func itIsRoundedForPeople(duration: Duration, text: String) {
        #expect(SpokenDuration(duration).description == text)
    }
}
