// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Testing

@testable import CumulusAWS

/// Signatures of version 2, with the examples in S3's documentation.
@Suite struct AWSVersion2Tests {
    private let keys = AWSCredentialSource.keys(
        id: "AKIAIOSFODNN7EXAMPLE",
        secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    )

    private func signed(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ headers: HTTPFields,
        service: String = "s3"
    ) async throws -> EncodedRequest {
        var request = EncodedRequest(method: method, url: try RequestURL(url), headers: headers)
        let now = Date(timeIntervalSince1970: 1_317_655_170)
        try await AWSVersion2Authorizer(keys, service: service) { now }.authorize(&request)
        return request
    }

    @Test(arguments: [
        ("/photos/puppy.jpg", "Tue, 27 Mar 2007 19:36:42 +0000", "bWq2s1WEIj+Ydj0vQ697zp+IXMU="),
        ("/?prefix=photos&max-keys=50&marker=puppy", "Tue, 27 Mar 2007 19:42:41 +0000", "htDYFYduRNen8P9ZfE/s9SuKy0U="),
        ("/?acl", "Tue, 27 Mar 2007 19:44:46 +0000", "c2WLPFtWHVgbEmeEG93a4cG37dM="),
    ])
    func storesOfTheDocumentation(target: String, date: String, expected: String) async throws {
        let request = try await signed(.get, "https://johnsmith.s3.amazonaws.com\(target)", [.date: date])
        #expect(request.headers[.authorization] == "AWS AKIAIOSFODNN7EXAMPLE:\(expected)")
    }

    @Test func anUploadCoversItsType() async throws {
        let request = try await signed(
            .put,
            "https://johnsmith.s3.amazonaws.com/photos/puppy.jpg",
            [.date: "Tue, 27 Mar 2007 21:15:45 +0000", .contentType: "image/jpeg"]
        )
        #expect(request.headers[.authorization] == "AWS AKIAIOSFODNN7EXAMPLE:MyyxeRY7whkBe+bq8fHCL/2kKUg=")
    }

    @Test("the predecessors' signature: method, type, date, the session's token, path")
    func seeds() async throws {
        let keys = AWSCredentialSource.keys(id: "AKID", secret: "secret", sessionToken: "tok")
        var request = EncodedRequest(
            method: .post,
            url: try RequestURL("https://store.example/b/c?x=1"),
            headers: [.contentType: "text/plain"]
        )
        try await AWSVersion2Authorizer(keys) { Date(timeIntervalSince1970: 0) }.authorize(&request)
        #expect(request.headers[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(
            AWSVersion2.storeText(of: request)
                == "POST\n\ntext/plain\nThu, 01 Jan 1970 00:00:00 GMT\nx-amz-security-token:tok\n/b/c"
        )
    }

    @Test("other services: the documented query of Elastic MapReduce, whose time has a zone")
    func queries() async throws {
        let request = try await signed(
            .get,
            "https://elasticmapreduce.amazonaws.com/?Action=DescribeJobFlows&Version=2009-03-31",
            [:],
            service: "elasticmapreduce"
        )
        #expect(
            request.target
                == "/?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Action=DescribeJobFlows&SignatureMethod=HmacSHA256"
                + "&SignatureVersion=2&Timestamp=2011-10-03T15%3A19%3A30Z&Version=2009-03-31"
                + "&Signature=66aU6xgCtR7V6ESsGvYrAArQmwGutKSbh8Mn7kSko9E%3D"
        )
    }

    @Test func aSignatureNeedsNoChallenge() {
        #expect(!AWSVersion2Authorizer(.keys(id: "a", secret: "b")).respondsToChallenges)
    }
}
