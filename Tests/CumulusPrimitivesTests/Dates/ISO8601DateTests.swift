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
}
