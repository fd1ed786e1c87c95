// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite(.serialized) struct AmountTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "0.9 KiB"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"),
            (1_022_000, "998.0 KiB"), (1_048_576, "1.0 MiB"), (30_408_704, "29.0 MiB"), (5_368_709_120, "5.0 GiB"),
            (Int64.max, "7.9 EiB"),
        ] as [(Int64, String)]
    )
    func sizesHaveAUnitAndAreNeverRoundedUp(bytes: Int64, text: String) { #expect(Amount.size(bytes) == text) }

    @Test func aPartIsInTheUnitOfTheWholeAndAsWide() {
        #expect(Amount.part(0, of: 30_408_704) == " 0.0/29.0 MiB")
        #expect(Amount.part(30_408_703, of: 30_408_704) == "28.9/29.0 MiB")
        #expect(Amount.part(30_408_704, of: 30_408_704) == "29.0/29.0 MiB")
        #expect(Amount.part(3, of: 12) == " 3/12 B")
    }

    @Test(arguments: [
        (0.0, "0 B/s"), (2_097_152, "2.0 MiB/s"), (-1, "0 B/s"), (.infinity, "0 B/s"), (1e300, "7.8 EiB/s"),
    ])
    func ratesAreSizesASecond(rate: Double, text: String) { #expect(Amount.rate(rate) == text) }

    @Test(arguments: [
        (0, "0:00"), (7, "0:07"), (61, "1:01"), (3_599, "59:59"), (3_600, "1:00:00"), (359_999, "99:59:59"),
        (360_000, "4 days"), (-5, "0:00"),
    ])
    func timesAreMinutesAndSeconds(seconds: Int, text: String) { #expect(Amount.time(.seconds(seconds)) == text) }

    @Test func spansHaveTenthsWithinAMinute() {
        #expect(Amount.span(.milliseconds(7_149)) == "7.1 s")
        #expect(Amount.span(.milliseconds(59_999)) == "59.9 s")
        #expect(Amount.span(.seconds(61)) == "1:01")
    }
}
