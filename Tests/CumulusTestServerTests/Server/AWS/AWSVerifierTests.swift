// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import Foundation
import Testing

@testable import CumulusTestServer

/// How a stand-in service treats hostile claims.
@Suite struct AWSVerifierTests {
    @Test(arguments: ["-1000", "nan", "inf", "1e400", "0", "604801", "99999999999999999999", "", "x"])
    func aLifetimeThatIsNoneIsRefused(lifetime: String) {
        let verifier = AWSVerifier(AWSCredentials(accessKeyID: "KEYID", secretAccessKey: "secret"))
        let query = [
            "X-Amz-Expires=\(lifetime)", "X-Amz-Date=20240101T000000Z",
            "X-Amz-Credential=KEYID/20240101/r/s3/aws4_request", "X-Amz-SignedHeaders=host", "X-Amz-Signature=0",
        ]
        #expect(throws: AWSError.self) {
            try verifier.payload(
                method: "GET",
                target: "/bucket/x?\(query.joined(separator: "&"))",
                fields: [("host", "a.example")],
                body: [],
                at: Date(timeIntervalSince1970: 1_704_067_200)
            )
        }
    }
}
