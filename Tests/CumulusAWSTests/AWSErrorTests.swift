// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusAWS

/// How services report errors.
@Suite struct AWSErrorTests {
    @Test(arguments: [
        (
            "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>gone</Message><RequestId>7</RequestId></Error>",
            AWSError(code: "NoSuchKey", message: "gone", requestID: "7")
        ),
        (
            "<ErrorResponse xmlns=\"x\"><Error><Code>Throttling</Code></Error><RequestId>8</RequestId></ErrorResponse>",
            AWSError(code: "Throttling", requestID: "8")
        ),
        (
            "<Response><Errors><Error><Code>AuthFailure</Code></Error></Errors><CallID>9</CallID></Response>",
            AWSError(code: "AuthFailure", requestID: "9")
        ),
        (
            #"{"__type": "com.amazon.coral.service#ExpiredTokenException", "message": "old"}"#,
            AWSError(code: "ExpiredTokenException", message: "old")
        ),
        (#"{"code": "Denied", "Message": "no"}"#, AWSError(code: "Denied", message: "no")),
    ])
    func forms(text: String, expected: AWSError) {
        #expect(AWSError(body: ByteChunk(text)) == expected)
    }

    @Test(arguments: [
        "", "Forbidden", "<html><body>no</body></html>", "<Error/>", "{}", "[1]", "<Error", "{\"code\": 1}",
    ])
    func whatIsNone(text: String) { #expect(AWSError(body: ByteChunk(text)) == nil) }

    @Test("S3 may report an error with 200; its request ID may be in the head")
    func successesThatAreNone() async throws {
        let transport = StubTransport { request in
            let body = request.path == "/a" ? "<Error><Code>InternalError</Code></Error>" : "<List><Error/></List>"
            let headers: Headers = [.contentType: "application/xml", "x-amz-request-id": "id-1"]
            return .response(headers: headers, body: Array(body.utf8))
        }
        let site = Resource("https://b.s3.amazonaws.com", transport: transport.watched) {
            $0.errorDecoders = [.aws]
            $0.coders.registerFormats()
        }
        let error = try await #require(throws: CumulusError.self) { _ = try await site["a"].post(as: XML.self) }
        #expect(error.serviceError(as: AWSError.self) == AWSError(code: "InternalError", requestID: "id-1"))
        #expect(try await site["b"].get(as: XML.self).name == "List")
    }
}
