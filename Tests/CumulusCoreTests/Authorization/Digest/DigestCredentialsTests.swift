// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import Testing

@testable import CumulusCore

/// The examples of RFC 7616 and RFC 2617, and values computed with Python's hashlib.
struct DigestCredentialsTests {
    private func field(
        _ challenge: String,
        user: String,
        password: String,
        target: String,
        clientNonce: String,
        body: [UInt8]? = nil
    ) throws -> AuthenticationChallenge {
        let offer = try #require(DigestOffer.strongest(of: AuthenticationChallenge.parse(["Digest " + challenge])))
        let proof = DigestCredentials(
            offer: offer,
            protection: offer.protection(prefersBody: false),
            count: 1,
            clientNonce: FieldText(clientNonce),
            sessionNonce: offer.nonce,
            sessionClientNonce: FieldText(clientNonce)
        )
        let value = try proof.field(
            for: Credentials(user: user, password: Secret(password)),
            method: "GET",
            target: target,
            body: body.map { MessageDigest.hexadecimal(MessageDigest.bytes(of: $0, by: offer.algorithm.hash)) }
        )
        return try #require(AuthenticationChallenge.parse([value]).first)
    }

    private static let rfc7616 =
        #"realm="http-auth@example.org", qop="auth", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
        + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#

    @Test(
        "RFC 7616 section 3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func rfc7616(algorithm: String, response: String) throws {
        let proof = try field(
            "\(Self.rfc7616), algorithm=\(algorithm)",
            user: "Mufasa",
            password: "Circle of Life",
            target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        #expect(proof["response"] == response)
        #expect(proof["username"] == "Mufasa")
        #expect(proof["uri"] == "/dir/index.html")
        #expect(proof["nc"] == "00000001")
        #expect(proof["qop"] == "auth")
        #expect(proof["algorithm"] == algorithm)
        #expect(proof["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
    }

    @Test("RFC 7616 section 3.9.2 with erratum 4897: the user's name hashed, or by RFC 8187", arguments: [true, false])
    func userHash(isHashed: Bool) throws {
        let challenge =
            #"realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, userhash=\#(isHashed), "#
            + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGj""#
        let proof = try field(
            challenge,
            user: "J\u{E4}s\u{F8}n Doe",
            password: "Secret, or not?",
            target: "/doe.json",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
        )
        #expect(proof["response"] == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
        let hashed = "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
        #expect(proof["username"] == (isHashed ? hashed : nil))
        #expect(proof["username*"] == (isHashed ? nil : "UTF-8''J%C3%A4s%C3%B8n%20Doe"))
        #expect(proof["userhash"] == (isHashed ? "true" : nil))
    }

    @Test("RFC 2617 section 3.5, without an algorithm's name")
    func rfc2617() throws {
        let proof = try field(
            #"realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#,
            user: "Mufasa",
            password: "Circle Of Life",
            target: "/dir/index.html",
            clientNonce: "0a4f113b"
        )
        #expect(proof["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(proof["algorithm"] == nil)
    }

    @Test(
        "sessions, bodies, and servers without qop",
        arguments: [
            ("algorithm=MD5, qop=auth-int", "b2c8631d4cf17b4c10d18d63f49edf7f"),
            ("algorithm=MD5-sess, qop=auth", "c79cf468b595d8b77980f4b545b99531"),
            ("algorithm=MD5-sess, qop=auth-int", "579e9c608502c6fe291e202a362fc283"),
            ("algorithm=SHA-256, qop=auth-int", "114d0fec8c8f891ce5caba9983ea42d4918b048718632fe5f8e551b2c8d0af03"),
            ("algorithm=SHA-256-sess, qop=auth", "b90638044c28ace7aa991a4545c4693e57618dd5b50b4fc80efc4d33d1a5847f"),
            (
                "algorithm=SHA-256-sess, qop=auth-int",
                "6a60dba5a14189c270a263d912d596446094359c72ed8be9ce9934c1c23f377e"
            ),
            ("algorithm=SHA-512-256, qop=auth", "b2e6af814629648f3b0084b6673c046992e6bbcd7a526fc47a10422431df1f00"),
            ("algorithm=SHA-512-256, qop=auth-int", "3e535a63dececcdb53b252d19719b8f822151916a0ac91cbf5e6d7a5cde2b7af"),
            (
                "algorithm=SHA-512-256-sess, qop=auth",
                "b38a2f891a9282725b4e002286a85177bf4c486c1d1a090b0305b5e9276d6dcc"
            ),
            (
                "algorithm=SHA-512-256-sess, qop=auth-int",
                "ec58d5d052c111686499f38ac652f4bc937fe2d9d136cca386fee2ebd35b9247"
            ),
            ("algorithm=MD5", "2b1a618f7843aac3b3553bdb2a3eff6d"),
        ]
    )
    func others(parameters: String, response: String) throws {
        let proof = try field(
            #"realm="r", nonce="n1", "# + parameters,
            user: "ada",
            password: "lovelace",
            target: "/a?b=c",
            clientNonce: "c1",
            body: parameters.contains("auth-int") ? Array("hello".utf8) : nil
        )
        #expect(proof["response"] == response)
    }

    @Test(
        "the server's own proof, over the head and over a body",
        arguments: [
            ("algorithm=MD5, qop=auth", "78814df50cb2646471547ab4ae96945f"),
            ("algorithm=MD5, qop=auth-int", "1cd403acaf7a5fe6218866d027400a1f"),
            ("algorithm=MD5-sess, qop=auth-int", "ba50bc213ffeb0d96fe544573d1c8f51"),
            ("algorithm=SHA-256, qop=auth-int", "33b513d1400c24b6c395c3b6b2adaa313b88f05bf335895f1ac82636b6b93aff"),
            (
                "algorithm=SHA-256-sess, qop=auth-int",
                "7576c7cd6a71cdca6eae6cbf60b20c2bd4c3558d30e7c179cbc00734f0905102"
            ),
            ("algorithm=SHA-512-256, qop=auth-int", "7e5f5467271ce91869ebfd91652d63e71fc13c65ae3d2981bb4e5979a08ce2f2"),
            (
                "algorithm=SHA-512-256-sess, qop=auth-int",
                "0ec30d5e674ba71a3c2164db676594bb88d9c56a6b97ef4b3887f3b97d2c6943"
            ),
        ]
    )
    func servers(parameters: String, response: String) throws {
        let challenges = AuthenticationChallenge.parse([#"Digest realm="r", nonce="n1", "# + parameters])
        let offer = try #require(DigestOffer.strongest(of: challenges))
        let proof = DigestCredentials(
            offer: offer,
            protection: offer.protection(prefersBody: false),
            count: 1,
            clientNonce: "c1",
            sessionNonce: "n1",
            sessionClientNonce: "c1"
        )
        let digest = MessageDigest.bytes(of: Array("world".utf8), by: offer.algorithm.hash)
        let made = proof.serversResponse(
            for: Credentials(user: "ada", password: "lovelace"),
            target: "/a?b=c",
            body: parameters.hasSuffix("auth-int") ? MessageDigest.hexadecimal(digest) : nil
        )
        #expect(made == response)
    }

    @Test("section 4: names and passwords are used unchanged", arguments: [false, true])
    func normalization(isComposed: Bool) throws {
        func inForm(_ text: String) -> String { isComposed ? text.precomposedStringWithCanonicalMapping : text }
        let proof = try field(
            #"realm="r", nonce="n1", algorithm=SHA-256, qop="auth", charset=UTF-8"#,
            user: inForm("e\u{301}"),
            password: inForm("o\u{308}"),
            target: "/",
            clientNonce: "c1"
        )
        #expect(proof["username*"] == (isComposed ? "UTF-8''%C3%A9" : "UTF-8''e%CC%81"))
        #expect(
            proof["response"]
                == (isComposed
                    ? "f1af6e495208ae1e183483ca865d7f74f66936ef7250f4795a2421f34b4dd01e"
                    : "6562fffe181f1b28560792fbab8b83fbd76a2a7858ef482574d4cb0c84eaf2f0")
        )
    }

    @Test("quotes and backslashes in names and realms are escaped, and control characters refused")
    func escaped() throws {
        let offer = try #require(
            DigestOffer.strongest(of: AuthenticationChallenge.parse([#"Digest realm="a\"b\\", nonce="n""#]))
        )
        let proof = DigestCredentials(
            offer: offer,
            protection: nil,
            count: 1,
            clientNonce: "",
            sessionNonce: "",
            sessionClientNonce: ""
        )
        func field(_ user: String) throws -> String {
            try proof.field(for: Credentials(user: user, password: "p"), method: "GET", target: "/", body: nil).text
        }
        let expected = #"Digest username="x\"y\\", realm="a\"b\\", uri="/", nonce="n", response="#
        #expect(try field(#"x"y\"#).hasPrefix(expected))
        #expect(throws: AuthorizationProblem.self) { try field("a\r\nb") }
        #expect(throws: AuthorizationProblem.self) { try field("a\u{7F}") }
    }
}
