// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOHPACK
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct HTTP2RequestHeadTests {
    private func fields(_ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: RequestBody = .none) -> [String] {
        let request = TransportRequest(
            method: method,
            origin: Origin(scheme: .https, host: "example.com", port: 8443),
            target: "/a?b",
            headers: headers,
            body: body
        )
        return HTTP2RequestHead.fields(of: request).map { "\($0.name): \($0.value)" }
    }

    @Test func namesTheParts() {
        #expect(
            fields(.get, [.accept: "x"]) == [
                ":method: GET", ":scheme: https", ":authority: example.com:8443", ":path: /a?b", "accept: x",
            ]
        )
    }

    @Test func statesTheLengthThatIsKnown() {
        #expect(fields(.post, [:]).last == "content-length: 0")
        #expect(fields(.get, [:], .bytes(ByteChunk("12345"))).last == "content-length: 5")
        #expect(fields(.put, [:], .stream(StreamBody { _, _ in })).last == ":path: /a?b")
    }

    @Test("connection-specific fields are left out")
    func leavesOutConnectionFields() throws {
        var headers = HTTPFields()
        for (name, value) in [
            ("Host", "other"), ("Connection", "close"), ("Keep-Alive", "1"), ("Proxy-Connection", "x"),
            ("Upgrade", "h2c"), ("Transfer-Encoding", "chunked"), ("TE", "gzip"), ("HTTP2-Settings", "AAA"),
            ("Content-Length", "9"), ("X-Kept", "yes"), ("TE", "trailers"),
        ] {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        #expect(fields(.get, headers).dropFirst(4) == ["x-kept: yes", "te: trailers"])
    }

    @Test func secretsGoIntoNoTable() {
        let request = TransportRequest(
            origin: Origin(scheme: .https, host: "example.com", port: 443),
            headers: [.authorization: "secret", .cookie: "a=b", .accept: "x"]
        )
        for (name, _, indexing) in HTTP2RequestHead.fields(of: request) {
            let isSecret = name == "authorization" || name == "cookie"
            #expect((indexing == .neverIndexed) == isSecret, "\(name)")
        }
    }
}
