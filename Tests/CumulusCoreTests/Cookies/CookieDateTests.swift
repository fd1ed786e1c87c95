// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// Dates of cookies, in all formats (RFC 6265 section 5.1.1).
@Suite struct CookieDateTests {
    // 1994-11-06 08:49:37, the date of the RFCs.
    private static let known: Int64 = 784_111_777

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "06 Nov 1994 08:49:37", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun 06 November 1994 8:49:37",
        "1994 Nov 6 08:49:37", "08:49:37 6 1994 nov", "NOV-06-1994 08:49:37 PST", "6/Nov/94;08:49:37",
        "Sun,06-Nov-94,08:49:37", "garbage 06 Nov 1994 08:49:37 more garbage", "6th NovXYZ 1994AD 08:49:37.5",
        "\t06\tNov\t1994\t08:49:37",
    ])
    func formsThatAreRead(text: String) {
        #expect(CookieDate.seconds(Array(text.utf8)[...]) == CookieDateTests.known)
    }

    @Test(
        arguments: [
            ("01 Jan 70 00:00:00", 0), ("01 Jan 69 00:00:00", 3_124_224_000), ("01 Jan 1970 00:00:00", 0),
            ("29 Feb 2024 00:00:00", 1_709_164_800), ("01 Jan 1601 00:00:00", -11_644_473_600),
            ("31 Dec 9999 23:59:59", 253_402_300_799),
        ] as [(String, Int64)]
    )
    func edges(text: String, seconds: Int64) {
        #expect(CookieDate.seconds(Array(text.utf8)[...]) == seconds)
    }

    @Test(arguments: [
        "", "tomorrow", "Sun, 06 Nov 1994", "08:49:37 Nov 1994", "06 1994 08:49:37", "06 Nov 08:49:37",
        "30 Feb 2024 00:00:00", "29 Feb 2023 00:00:00", "00 Nov 1994 08:49:37", "32 Jan 2024 00:00:00",
        "06 Nov 1600 08:49:37", "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60",
        "06 Nov 1 08:49:37", "06 Nov 12345 08:49:37", "06 Nov 99999999999999999999 08:49:37",
        "06 Nov 1994 008:49:37", "06 Nov 1994 08:49", "06 Nov 1994 08-49-37", "\u{661}\u{662} Nov 1994 08:49:37",
    ])
    func whatIsNoDate(text: String) { #expect(CookieDate.seconds(Array(text.utf8)[...]) == nil) }
}
