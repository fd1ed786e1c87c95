// SPDX-License-Identifier: Apache-2.0

import Crypto
import CumulusCore
import Foundation
import HTTPTypes
import Testing

@testable import CumulusSignatures

/// Ed25519 and ECDSA with the keys and messages of RFC 9421's appendix B.
@Suite struct MessageSignerTests {
    private static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----
        """
    private static let p256 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
        AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
        4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END EC PRIVATE KEY-----
        """
    private let made = Date(timeIntervalSince1970: 1_618_884_473)

    private func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ headers: HTTPFields,
        body: RequestBody = .none
    ) throws -> EncodedRequest {
        EncodedRequest(method: method, url: try RequestURL(url), headers: headers, body: body)
    }

    private var foo: EncodedRequest {
        get throws {
            try request(
                .post,
                "https://example.com/foo?param=Value&Pet=dog",
                [.date: "Tue, 20 Apr 2021 02:07:55 GMT", .contentType: "application/json"],
                body: .bytes(ByteChunk(#"{"hello": "world"}"#))
            )
        }
    }

    private func signed(
        _ request: EncodedRequest,
        by signer: some MessageSigner,
        keyID: String,
        _ components: [SignatureComponent]
    ) async throws -> (base: String, signature: String) {
        var options = MessageSignatureOptions()
        options.components = components
        options.namesAlgorithm = false
        let authorizer = MessageSignatureAuthorizer(signer, keyID: keyID, options: options) { made }
        var signed = request
        try await authorizer.authorize(&signed)
        let parameters = SignatureParameters(components: components, created: 1_618_884_473, keyID: keyID)
        let name = try #require(HTTPField.Name("Signature"))
        let field = try #require(signed.headers[name])
        return (try parameters.base(of: SignedMessage(request)), String(field.dropFirst("sig1=:".count).dropLast()))
    }

    @Test("appendix B.2.6: Ed25519, byte for byte")
    func ed25519() async throws {
        let signer = try Ed25519Signer(pem: Secret(Self.ed25519))
        #expect(Data(signer.publicKey).base64EncodedString() == "JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=")
        let (_, signature) = try await signed(
            try foo,
            by: signer,
            keyID: "test-key-ed25519",
            ["date", .method, .path, .authority, "content-type", "content-length"]
        )
        #expect(
            signature == "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
        )
    }

    @Test("appendix B.4: a message that proxies changed in transit keeps its signature")
    func transformed() async throws {
        var request = try request(.get, "https://example.org/demo?name1=Value1&Name2=value2", [:])
        request.headers.append(HTTPField(name: .accept, value: "application/json"))
        request.headers.append(HTTPField(name: .accept, value: "*/*"))
        let (_, signature) = try await signed(
            request,
            by: .ed25519(pem: Secret(Self.ed25519)),
            keyID: "test-key-ed25519",
            [.method, .path, .authority, "accept"]
        )
        #expect(
            signature == "ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA=="
        )
    }

    private func isValid(_ signature: String, over base: String) throws -> Bool {
        let key = try P256.Signing.PrivateKey(pemRepresentation: Self.p256).publicKey
        let bytes = try #require(Data(base64Encoded: signature))
        return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: bytes), for: Data(base.utf8))
    }

    @Test("appendix B.2.4: the signature of a response verifies with our base of it")
    func response() throws {
        var fields: HTTPFields = [.contentType: "application/json", .contentLength: "23"]
        fields[try #require(HTTPField.Name("Content-Digest"))] =
            "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:"
        let base = try SignatureParameters(
            components: [.status, "content-type", "content-digest", "content-length"],
            created: 1_618_884_473,
            keyID: "test-key-ecc-p256"
        ).base(of: SignedMessage(status: 200, fields: fields))
        let signature = "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw=="
        #expect(try isValid(signature, over: base))
        #expect(try !isValid(signature, over: base + " "))
    }

    private let certificate = """
        MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVk\
        aWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\
        8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAf\
        BgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMw\
        EYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ\
        0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=
        """

    @Test("appendix B.3: a proxy's signature verifies with our base, and so does ours")
    func proxied() async throws {
        var request = try request(
            .post,
            "https://service.internal.example/foo?param=Value&Pet=dog",
            [.contentType: "application/json"]
        )
        try request.setHeader("Client-Cert", to: ":\(certificate):")
        let (base, own) = try await signed(
            request,
            by: .p256(pem: Secret(Self.p256)),
            keyID: "test-key-ecc-p256",
            [.path, .query, .method, .authority, "client-cert"]
        )
        let published = "xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw=="
        #expect(try isValid(published, over: base))
        #expect(try isValid(own, over: base))
    }

    @Test func newKeysAreReadBack() throws {
        let made = Ed25519Signer.generate()
        #expect(made.publicKey.count == 32 && made.publicKey != Ed25519Signer.generate().publicKey)
        #expect(P256Signer.generate().publicKey.first == 4)
        #expect("\(made) \(P256Signer.generate())" == "ed25519 ecdsa-p256-sha256")
    }

    @Test(
        "an invalid key is reported, without showing any of it",
        arguments: [
            "", "geheim", "-----BEGIN PRIVATE KEY-----\ngeheim!\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", p256, "-----BEGIN PRIVATE KEY-----",
        ]
    )
    func badKeys(text: String) {
        func check(_ error: any Error) -> Bool { !"\(error)".contains("geheim") && error is SignatureKeyProblem }
        #expect { try Ed25519Signer(pem: Secret(text)) } throws: { check($0) }
        guard text != Self.p256 else { return }
        #expect { try P256Signer(pem: Secret(text)) } throws: { check($0) }
        #expect { try P256Signer(Secret(Array(text.utf8.prefix(31)))) } throws: { check($0) }
    }
}
