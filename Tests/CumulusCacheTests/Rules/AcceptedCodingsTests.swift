// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9110 section 12.5.3: which codings a request accepts.
@Suite struct AcceptedCodingsTests {
    @Test(
        arguments: [
            ("gzip, deflate", "gzip", true), ("gzip, deflate", "x-gzip", true), ("GZIP", "gzip", true),
            ("gzip;q=0", "gzip", false), ("gzip; Q=0.000", "gzip", false), ("gzip;q=0.001", "gzip", true),
            ("identity", "gzip", false), ("", "gzip", false), ("*", "br", true), ("*;q=0", "br", false),
            ("br;q=0, *", "br", false), ("gzip", "gzip, br", false), ("gzip, br", "gzip, br", true),
            ("identity", "identity", true), ("identity", "", true), ("identity", "aws-chunked", true),
        ]
    ) func acceptance(accepted: String, coding: String, expected: Bool) {
        let codings = CodingNames.of(Stored.fields([("Content-Encoding", coding)]))
        #expect(AcceptedCodings(Stored.fields([("Accept-Encoding", accepted)])).contain(codings) == expected)
    }

    @Test("a request without the field accepts no coding") func noField() {
        #expect(!AcceptedCodings([:]).contain(["gzip"]))
        #expect(AcceptedCodings([:]).contain([]))
    }
}
