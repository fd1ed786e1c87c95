// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import Testing

/// Instants keep their fractions of a second.
@Suite struct ISO8601DateTests {
    private let instant = Date(timeIntervalSince1970: 1_795_341_600.25)

    @Test func aFractionIsWrittenWhereThereIsOne() {
        #expect(ISO8601Date.text(instant) == "2026-11-22T10:00:00.250Z")
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: 1_795_341_600)) == "2026-11-22T10:00:00Z")
    }

    @Test func bothFormsAreRead() {
        #expect(ISO8601Date.date("2026-11-22T10:00:00.250Z") == instant)
        #expect(ISO8601Date.date("2026-11-22T11:00:00+01:00") == Date(timeIntervalSince1970: 1_795_341_600))
        #expect(ISO8601Date.date("2026-11-22t10:00:00.250z") == instant)
        #expect(ISO8601Date.date("2026-11-22T10:00:00z") == Date(timeIntervalSince1970: 1_795_341_600))
        #expect(ISO8601Date.date("2026-02-31T10:00:00Z") == nil)
        #expect(ISO8601Date.date("2026-02-31t10:00:00z") == nil)
        #expect(ISO8601Date.date("yesterday") == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e12, 1e12])
    func whatFourDigitsOfAYearCannotHoldHasNoText(seconds: Double) {
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("each millisecond comes back as itself") func milliseconds() {
        for start in [-62_167_219_200_000, -1, 1_795_341_600_000, 253_402_300_799_000] {
            for more in 0..<1_000 {
                let date = Date(timeIntervalSince1970: Double(start + more) / 1_000)
                let back = ISO8601Date.text(date).flatMap(ISO8601Date.date)
                #expect(back.map { ($0.timeIntervalSince1970 * 1_000).rounded() } == Double(start + more))
            }
        }
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: 1_795_341_600.001)) == "2026-11-22T10:00:00.001Z")
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: -62_167_219_200)) == "0000-01-01T00:00:00Z")
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: -0.5)) == "1969-12-31T23:59:59.500Z")
    }

    @Test(
        "the whole text counts",
        arguments: [
            "2026-11-22T24:00:00Z", "2026-11-22T10:60:00Z", "2026-11-22T10:00:61Z", "2026-11-22T10:00:00Zjunk",
            "2026-11-22",
            "2026-11-22T10:00:00", "2026-11-22T10:00:00.Z", "2026-11-22T10:00:00+1", "2026-11-22T10:00:00+01:", "",
            "2026-11-22T10:00:00+01:60", "2026-11-22T10:00:00+24:00", " 2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z ",
            "٢٠٢٦-11-22T10:00:00Z",
        ]
    )
    func wrongTexts(text: String) { #expect(ISO8601Date.date(text) == nil) }

    @Test("zones may lack their colon or their minutes", arguments: ["+01:00", "+0100", "+01"]) func zones(zone: String)
    {
        #expect(ISO8601Date.date("2026-11-22T11:00:00\(zone)") == Date(timeIntervalSince1970: 1_795_341_600))
        let long = "2026-11-22T11:00:00.123456789012345678901234567890\(zone)"
        #expect(ISO8601Date.date(long) == Date(timeIntervalSince1970: 1_795_341_600.123456789))
    }
}
