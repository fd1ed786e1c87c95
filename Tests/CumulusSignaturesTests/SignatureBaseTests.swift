// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import HTTPTypes
import Testing

@testable import CumulusSignatures

/// The messages of RFC 9421's appendix B, as far as signatures cover them.
@Suite struct SignatureBaseTests {
    private static let digest =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"

    /// The request of appendix B.2.
    private static func request() throws -> EncodedRequest {
        var request = EncodedRequest(
            method: .post,
            url: try RequestURL("https://example.com/foo?param=Value&Pet=dog"),
            headers: [.date: "Tue, 20 Apr 2021 02:07:55 GMT", .contentType: "application/json"],
            body: .bytes(ByteChunk(#"{"hello": "world"}"#))
        )
        try request.setHeader("Content-Digest", to: digest)
        return request
    }

    private func base(_ parameters: SignatureParameters, of request: EncodedRequest? = nil) throws -> String {
        try parameters.base(of: SignedMessage(try request ?? Self.request()))
    }

    private func parameters(_ components: [SignatureComponent], keyID: String) -> SignatureParameters {
        SignatureParameters(components: components, created: 1_618_884_473, keyID: keyID)
    }

    @Test("appendix B.2.1: only the parameters (we don't support its RSA, but its base)")
    func minimal() throws {
        var parameters = parameters([], keyID: "test-key-rsa-pss")
        parameters.nonce = "b3k2pp5k7z-50gnwp.yemd"
        #expect(
            try base(parameters)
                == #""@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#
        )
    }

    @Test("appendix B.2.2: a query item, and a tag (we don't support its RSA, but its base)")
    func selective() throws {
        var parameters = parameters(
            [.authority, "Content-Digest", .queryParameter("Pet")],
            keyID: "test-key-rsa-pss"
        )
        parameters.tag = "header-example"
        #expect(
            try base(parameters) == """
                "@authority": example.com
                "content-digest": \(Self.digest)
                "@query-param";name="Pet": dog
                "@signature-params": ("@authority" "content-digest" "@query-param";name="Pet");created=1618884473\
                ;keyid="test-key-rsa-pss";tag="header-example"
                """
        )
    }

    @Test("appendix B.2.3: full coverage (we don't support its RSA, but its base)")
    func full() throws {
        let parameters = parameters(
            ["date", .method, .path, .query, .authority, "content-type", "content-digest", "content-length"],
            keyID: "test-key-rsa-pss"
        )
        #expect(
            try base(parameters) == """
                "date": Tue, 20 Apr 2021 02:07:55 GMT
                "@method": POST
                "@path": /foo
                "@query": ?param=Value&Pet=dog
                "@authority": example.com
                "content-type": application/json
                "content-digest": \(Self.digest)
                "content-length": 18
                "@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" \
                "content-length");created=1618884473;keyid="test-key-rsa-pss"
                """
        )
    }

    @Test("appendix B.2.5: HMAC with SHA-256, byte for byte, through the authorizer")
    func hmac() async throws {
        let secret = try #require(
            Data(
                base64Encoded:
                    "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
            )
        )
        var options = MessageSignatureOptions()
        options.components = ["date", .authority, "content-type"]
        options.label = "sig-b25"
        options.namesAlgorithm = false
        let authorizer = MessageSignatureAuthorizer(
            .hmac(Secret([UInt8](secret))),
            keyID: "test-shared-secret",
            options: options
        ) { Date(timeIntervalSince1970: 1_618_884_473) }
        var request = try Self.request()
        try await authorizer.authorize(&request)
        #expect(
            request.headers["Signature-Input"]
                == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#
        )
        #expect(
            request.headers["Signature"]
                == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:"
        )
    }

    @Test(
        "section 2.2: each derived component",
        arguments: [
            (SignatureComponent.targetURI, "https://example.com/foo?param=Value&Pet=dog"),
            (.scheme, "https"), (.requestTarget, "/foo?param=Value&Pet=dog"), (.query, "?param=Value&Pet=dog"),
            (.queryParameter("param"), "Value"), (.authority, "example.com"), (.method, "POST"),
        ]
    )
    func derived(component: SignatureComponent, value: String) throws {
        #expect(try SignedMessage(Self.request()).value(of: component) == value)
    }

    @Test("sections 2.2.7 and 2.2.8: an empty query is a question mark, and items are escaped in one way")
    func queries() throws {
        let bare = EncodedRequest(method: .get, url: try RequestURL("http://Example.COM:80/a"))
        #expect(try SignedMessage(bare).value(of: .query) == "?")
        #expect(try SignedMessage(bare).value(of: .authority) == "example.com")
        let url =
            "http://example.com:8080/parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace"
        let request = EncodedRequest(method: .get, url: try RequestURL("\(url)&fa%C3%A7ade%22%3A%20=something&x"))
        let message = SignedMessage(request)
        #expect(try message.value(of: .queryParameter("var")) == "this%20is%20a%20big%0Amultiline%20value")
        #expect(try message.value(of: .queryParameter("bar")) == "with%20plus%20whitespace")
        let name = SignatureComponent.queryParameter("façade\": ")
        #expect(try name.identifier() == #""@query-param";name="fa%C3%A7ade%22%3A%20""#)
        #expect(try message.value(of: name) == "something")
        #expect(try message.value(of: .queryParameter("x")) == "")
        #expect(try message.value(of: .authority) == "example.com:8080")
    }

    @Test("section 2.1: lines with the same name are joined, and white space at their ends is removed")
    func fields() throws {
        var request = EncodedRequest(method: .get, url: try RequestURL("https://example.org/demo"))
        request.headers.append(HTTPField(name: .accept, value: "application/json"))
        request.headers.append(HTTPField(name: .accept, value: "*/*"))
        #expect(try SignedMessage(request).value(of: "Accept") == "application/json, */*")
    }

    @Test("section 2.1.3: lines as bytes, which distinguish two lines from one with the same values")
    func wrapped() throws {
        let url = try RequestURL("https://example.org/demo")
        let name = try #require(HTTPField.Name("Example-Header"))
        var request = EncodedRequest(method: .post, url: url, body: .bytes(ByteChunk("abc")))
        request.headers.append(HTTPField(name: name, value: "value, with, lots"))
        request.headers.append(HTTPField(name: name, value: " of, commas"))
        let component = SignatureComponent.wrappedField("Example-Header")
        #expect(try component.identifier() == #""example-header";bs"#)
        #expect(
            try SignedMessage(request).value(of: component) == ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"
        )
        #expect(try SignedMessage(request).value(of: .wrappedField("content-length")) == ":Mw==:")
        request.headers[name] = "value, with, lots, of, commas"
        #expect(
            try SignedMessage(request).value(of: component) == ":dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:"
        )
        let parameters = SignatureParameters(components: [component, "example-header"])
        #expect(
            try parameters.base(of: SignedMessage(request)) == """
                "example-header";bs: :dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:
                "example-header": value, with, lots, of, commas
                "@signature-params": ("example-header";bs "example-header")
                """
        )
        #expect(throws: AuthorizationProblem.self) { try SignatureComponent.wrappedField("@method").identifier() }
    }

    @Test("missing or repeated components are refused by name")
    func missing() throws {
        let url = try RequestURL("https://example.org/?a=1&a=2")
        let message = SignedMessage(EncodedRequest(method: .get, url: url))
        for component: SignatureComponent in ["x-missing", .queryParameter("a"), .queryParameter("b"), .status] {
            #expect {
                _ = try message.value(of: component)
            } throws: {
                "\($0)".contains(component.parameter ?? component.name)
            }
        }
        #expect(throws: AuthorizationProblem.self) { try SignatureComponent.field("a\"b").identifier() }
        #expect(throws: AuthorizationProblem.self) { try SignatureComponent.field("").identifier() }
        #expect(throws: AuthorizationProblem.self) {
            try SignatureParameters(components: [.method, .method]).base(of: message)
        }
    }

    @Test func stringsAreQuoted() throws {
        #expect(try SignatureParameters(components: [], keyID: #"a"b\c"#).text() == #"();keyid="a\"b\\c""#)
        #expect(throws: AuthorizationProblem.self) { try SignatureParameters(components: [], keyID: "ü").text() }
        #expect(throws: AuthorizationProblem.self) { try SignatureParameters(components: [], tag: "a\nb").text() }
    }
}
