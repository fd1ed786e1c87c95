// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCore

/// Dates in HTTP's formats, in any locale.
@Suite(.serialized) struct HTTPDateTests {
    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (1.9, "Thu, 01 Jan 1970 00:00:01 GMT"), (.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-.infinity, "Sat, 01 Jan 0000 00:00:00 GMT"), (.nan, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ] as [(Double, String)]
    ) func knownInstants(seconds: Double, text: String) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).description == text)
    }

    @Test func itAgreesWithFoundation() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for number in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(number) * 7_654_321 - 1_000_000_000)
            #expect(HTTPDate(date).description == formatter.string(from: date))
        }
    }
}
