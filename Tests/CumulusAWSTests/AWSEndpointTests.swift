// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusAWS

/// The service and region in host names.
@Suite struct AWSEndpointTests {
    @Test(
        arguments: [
            ("s3.eu-central-1.amazonaws.com", "s3", "eu-central-1"),
            ("my.bucket.s3.eu-central-1.amazonaws.com", "s3", "eu-central-1"),
            ("s3.amazonaws.com", "s3", "us-east-1"),
            ("bucket.s3.amazonaws.com", "s3", "us-east-1"),
            ("s3-eu-west-1.amazonaws.com", "s3", "eu-west-1"),
            ("bucket.s3-us-gov-west-1.amazonaws.com", "s3", "us-gov-west-1"),
            ("bucket.s3.dualstack.us-west-2.amazonaws.com", "s3", "us-west-2"),
            ("s3-fips.us-east-2.amazonaws.com", "s3", "us-east-2"),
            ("name-1.s3-accesspoint.us-east-2.amazonaws.com", "s3", "us-east-2"),
            ("b--x.s3express-usw2-az1.us-west-2.amazonaws.com", "s3express", "us-west-2"),
            ("s3.cn-north-1.amazonaws.com.cn", "s3", "cn-north-1"),
            ("dynamodb.ap-southeast-2.amazonaws.com", "dynamodb", "ap-southeast-2"),
            ("streams.dynamodb.us-east-1.amazonaws.com", "dynamodb", "us-east-1"),
            ("x1.execute-api.us-east-1.amazonaws.com", "execute-api", "us-east-1"),
            ("search-a.eu-west-1.es.amazonaws.com", "es", "eu-west-1"),
            ("sts.amazonaws.com", "sts", "us-east-1"),
            ("email.us-east-1.amazonaws.com", "ses", "us-east-1"),
            ("bedrock-runtime.us-east-1.amazonaws.com", "bedrock", "us-east-1"),
            ("x.lambda-url.us-east-1.on.aws", "lambda", "us-east-1"),
            ("dynamodb.us-east-1.api.aws", "dynamodb", "us-east-1"),
            ("acct.r2.cloudflarestorage.com", "s3", "auto"),
            ("storage.googleapis.com", "s3", "auto"),
            ("bucket.s3.us-west-004.backblazeb2.com", "s3", "us-west-004"),
            ("s3.example.com", "s3", nil),
            ("bucket.s3-accelerate.amazonaws.com", "s3", nil),
            ("api.example.com", nil, nil),
            ("amazonaws.com", nil, nil),
            ("evilamazonaws.com", nil, nil),
        ] as [(String, String?, String?)]
    )
    func hosts(host: String, service: String?, region: String?) {
        let told = AWSEndpoint(host: host)
        #expect(told.service == service)
        #expect(told.region == region)
    }
}
