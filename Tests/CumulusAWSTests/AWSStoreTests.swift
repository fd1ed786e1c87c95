// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

@testable import CumulusAWS

/// The examples in S3's own documentation, through the authorizer.
@Suite struct AWSStoreTests {
    private static let day = Date(timeIntervalSince1970: 1_369_353_600)  // 2013-05-24
    private let keys = AWSCredentialSource.keys(
        id: "AKIAIOSFODNN7EXAMPLE",
        secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    )

    private func authorizer(_ payload: AWSPayload = .automatic) -> AWSAuthorizer {
        AWSAuthorizer(keys, region: "us-east-1", service: "s3", payload: payload) { Self.day }
    }

    private func signed(
        _ method: HTTPRequest.Method,
        _ url: String,
        headers: HTTPFields = [:],
        body: RequestBody = .none,
        by authorizer: AWSAuthorizer? = nil
    ) async throws -> EncodedRequest {
        var request = EncodedRequest(method: method, url: try RequestURL(url), headers: headers, body: body)
        try await (authorizer ?? self.authorizer()).authorize(&request)
        return request
    }

    private func signature(_ request: EncodedRequest) -> String? {
        request.headers[.authorization]?.cut(atLast: "=").map { String($0.behind) }
    }

    @Test func getsAnObject() async throws {
        let request = try await signed(
            .get,
            "https://examplebucket.s3.amazonaws.com/test.txt",
            headers: [.range: "bytes=0-9"]
        )
        #expect(
            request.headers[.authorization]
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        )
    }

    @Test("a dollar in a path is escaped once, and your own x-amz fields are covered")
    func putsAnObject() async throws {
        var headers: HTTPFields = [.date: "Fri, 24 May 2013 00:00:00 GMT"]
        headers[try #require(HTTPField.Name("x-amz-storage-class"))] = "REDUCED_REDUNDANCY"
        let request = try await signed(
            .put,
            "https://examplebucket.s3.amazonaws.com/test$file.text",
            headers: headers,
            body: .bytes(ByteChunk("Welcome to Amazon S3."))
        )
        #expect(signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test(arguments: [
        ("?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func readsABucket(query: String, expected: String) async throws {
        let request = try await signed(.get, "https://examplebucket.s3.amazonaws.com/\(query)")
        #expect(signature(request) == expected)
    }

    @Test func presignsAnObject() async throws {
        let url = try await authorizer().presign(
            try RequestURL("https://examplebucket.s3.amazonaws.com/test.txt"),
            for: .seconds(86_400)
        )
        #expect(
            url.description
                == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
                + "AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
                + "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
    }

    @Test(arguments: [0, 604_801, -1])
    func refusesAnImpossibleLifetime(seconds: Int) async throws {
        let url = try RequestURL("https://examplebucket.s3.amazonaws.com/test.txt")
        await #expect(throws: AuthorizationProblem.self) {
            _ = try await authorizer().presign(url, for: .seconds(seconds))
        }
    }

    @Test("S3's paths keep repeated slashes and dots, and escapes occur once, in capitals")
    func pathsStayAsTheyAre() {
        let request = AWSCanonicalRequest(
            method: "GET",
            target: "/a//b/./c%2fd/%e1%88%b4%20+*",
            fields: [],
            payload: "",
            path: .once
        )
        #expect(request.text.hasPrefix("GET\n/a//b/./c/d/%E1%88%B4%20%2B%2A\n"))
    }

    @Test(
        "ambiguous characters are sent in the form that is signed",
        arguments: [
            ("/a+b/c$d%2b", "s3", "/a%2Bb/c%24d%2B"), ("/a b//./ü", "s3", "/a%20b//./%C3%BC"),
            ("/a+b/c$d%2b?x=/:1&y", "sqs", "/a+b/c$d%2b?x=%2F%3A1&y"), ("/a-b_c.~/", "s3", "/a-b_c.~/"),
            ("/?lifecycle", "s3", "/?lifecycle"), ("/?a==b", "s3", "/?a=%3Db"),
        ]
    )
    func targets(target: String, service: String, expected: String) throws {
        #expect(try AWSTarget.plain(target, isStore: service == "s3") == expected)
        #expect(try AWSTarget.plain(expected, isStore: service == "s3") == expected)
    }

    @Test("a key with dots that a proxy would resolve is refused, unless its slashes are the path's own")
    func dotSegments() throws {
        for target in ["/b/a%2F..%2Fc", "/b/..%2F..%2Fetc/x%20y", "/b/%2e%2e%2Fx y", "/b/.%2Fa"] {
            let problem = try #require(throws: AuthorizationProblem.self, "\(target)") {
                try AWSTarget.plain(target, isStore: true)
            }
            #expect("\(problem)".contains("'..'"))
        }
        #expect(try AWSTarget.plain("/b/a%2F..c%2F.d", isStore: true) == "/b/a/..c/.d")
        #expect(try AWSTarget.plain("/b/a%2F..%2Fc", isStore: false) == "/b/a%2F..%2Fc")
    }

    @Test("a plus in a query is a space, in the signature and in the sent request")
    func plusInQueries() async throws {
        let request = try await signed(.get, "https://examplebucket.s3.amazonaws.com/?prefix=a+b%2Bc&x=+")
        #expect(request.target == "/?prefix=a%20b%2Bc&x=%20")
    }

    @Test func aRequestWithAProofOfItsOwnIsLeftAlone() async throws {
        let own = try await signed(.get, "https://b.s3.amazonaws.com/a", headers: [.authorization: "Mine x"])
        #expect(own.headers.count == 1)
        let link = try await signed(.get, "https://b.s3.amazonaws.com/a?X-Amz-Signature=12")
        #expect(link.headers.isEmpty)
    }

    @Test("a proof that is only part of a value, a name or the path doesn't keep a request from being signed")
    func proofsElsewhere() async throws {
        for target in [
            "/X-Amz-Signature=1", "/a?next=https://b/?X-Amz-Signature=12", "/a?xX-Amz-Signature=12",
            "/a?x=%26X-Amz-Signature=12",
        ] {
            let request = try await signed(.get, "https://b.s3.amazonaws.com\(target)")
            #expect(request.headers[.authorization] != nil, "\(target)")
        }
    }

    @Test("fields that transports and proxies change are not covered")
    func changeableFieldsAreLeftOut() async throws {
        let request = try await signed(
            .get,
            "https://b.s3.amazonaws.com/a",
            headers: [.userAgent: "x", .acceptEncoding: "gzip", .accept: "text/plain", .connection: "close"]
        )
        let value = try #require(request.headers[.authorization])
        #expect(value.contains("SignedHeaders=accept;host;x-amz-content-sha256;x-amz-date,"))
    }

    @Test func unsignedPayloadsSaySo() async throws {
        let body = RequestBody.stream(StreamBody { _, _ in })
        let request = try await signed(.put, "https://b.s3.amazonaws.com/a", body: body, by: authorizer(.unsigned))
        #expect(request.headers["X-Amz-Content-Sha256"] == "UNSIGNED-PAYLOAD")
        #expect(request.body.length == nil)
    }
}
