// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

/// Header fields with values that are not text.
@Suite struct HeaderValueTests {
    @Test("any value with a description can be a header's value")
    func anyValue() async throws {
        let echo = Echo()
        let date = Date(timeIntervalSince1970: 784_111_777)
        let token: Secret<String> = "s3cret"
        var headers: Headers = ["X-Page": 2, "X-Ratio": 0.5, "X-Flag": true, "X-Type": MediaType.png, "X-None": nil]
        headers.add(3, for: "X-Page")
        headers.set(date, for: "X-Date")
        headers.set(token, for: "X-Mine")
        try await echo.site.get(headers: headers).requireSuccess()
        let sent = try #require(echo.transport.lastRequest?.headers)
        let shown = ["X-Page", "X-Ratio", "X-Flag", "X-Type", "X-Date", "X-Mine"].map { sent[$0] }
        #expect(shown == ["2, 3", "0.5", "true", "image/png", "Sun, 06 Nov 1994 08:49:37 GMT", "s3cret"])
    }
}
