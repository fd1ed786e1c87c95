// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

/// `WWW-Authenticate` as RFC 9110 section 11.6.1 defines, and invalid challenges.
@Suite struct ChallengeParserTests {
    /// Challenges as text: `Scheme`, `Scheme token`, `Scheme name=value|name=value`.
    private func read(_ lines: String...) -> [String] {
        AuthenticationChallenge.parse(lines).map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
            return [challenge.scheme, challenge.token ?? parameters].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    @Test("RFC 9110's example: two challenges in one line, with commas between challenges and between parameters")
    func rfc9110() {
        let line = #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#
        #expect(read(line) == ["Basic realm=simple", #"Newauth realm=apps|type=1|title=Login to "apps""#])
    }

    @Test("RFC 7616's example: two lines with the same scheme, with quoted lists")
    func rfc7616() {
        let parameters = #"realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7yp/x9==""#
        #expect(
            read("Digest \(parameters)", #"Digest realm="b", algorithm=MD5"#) == [
                "Digest realm=http-auth@example.org|qop=auth, auth-int|algorithm=SHA-256|nonce=7yp/x9==",
                "Digest realm=b|algorithm=MD5",
            ]
        )
    }

    @Test(
        "schemes alone, with a token, and with parameters can be combined",
        arguments: [
            ("Negotiate", ["Negotiate"]),
            ("Negotiate, NTLM", ["Negotiate", "NTLM"]),
            ("Negotiate YII+/a==, Basic realm=x", ["Negotiate YII+/a==", "Basic realm=x"]),
            ("Bearer", ["Bearer"]),
            ("Negotiate abc , ,, Digest nonce = \"n\" ,realm\t=\t\"r\"", ["Negotiate abc", "Digest nonce=n|realm=r"]),
            ("Basic realm=\"\"", ["Basic realm="]),
            (" ,  ,Basic   realm=\"a\"  ", ["Basic realm=a"]),
            ("Bearer realm=https://id.example/token, scope=a", ["Bearer realm=https://id.example/token|scope=a"]),
            ("Basic REALM=\"a\"", ["Basic realm=a"]),
            ("Basic realm=\"a,b\\\\\\\"c\"", ["Basic realm=a,b\\\"c"]),
            ("Basic realm=\"gr\u{FC}n\"", ["Basic realm=gr\u{FC}n"]),
            ("Basic realm=a, realm=b, Bearer", ["Basic realm=b", "Bearer"]),
        ]
    )
    func forms(line: String, expected: [String]) { #expect(read(line) == expected) }

    @Test("parameters may continue in the next line, as if joined by a comma")
    func severalLines() {
        #expect(read(#"Digest realm="a""#, #"nonce="b""#, "Basic") == ["Digest realm=a|nonce=b", "Basic"])
    }

    @Test(
        "invalid challenges are left out, and the following ones are read",
        arguments: [
            ("", []), (",,,", []), ("=", []), ("realm=\"a\"", []), ("\"Basic\"", []),
            ("Basic realm=\"a", []), ("Basic realm=\"a\\", []), ("Basic realm=a b", []),
            ("Basic realm=\"a\"b, Bearer", ["Bearer"]),
            ("Basic @, Bearer", ["Bearer"]),
            ("Negotiate abc, x=1, Bearer", ["Bearer"]),
            ("Basic/1 realm=a, Bearer x=\"1\"", ["Bearer x=1"]),
            ("@\"a, Basic realm=1\", Bearer", ["Bearer"]),
        ]
    )
    func malformed(line: String, expected: [String]) { #expect(read(line) == expected) }

    @Test("an endless field costs no more than its length")
    func bounded() {
        let schemes = (0..<1000).map { "S\($0)" }.joined(separator: ", ")
        #expect(read(schemes).count == 32)
        let parameters = (0..<1000).map { "p\($0)=1" }.joined(separator: ", ")
        #expect(read("Digest \(parameters), Basic") == ["Basic"])
        #expect(read(String(repeating: "\"", count: 100_000)) == [])
        #expect(read(String(repeating: "a ", count: 50_000)) == [])
        #expect(read(String(repeating: "\\\",", count: 50_000)).count <= 1)
    }

    @Test("no truncation or changed byte of a valid field crashes, and no challenge is made up")
    func hostile() {
        let good = [UInt8](#"Digest realm="a,\"b", nonce=c==, Negotiate aa==, Basic, X y="z""#.utf8)
        for count in 0...good.count {
            for changed in [UInt8(0), 0x22, 0x2C, 0x3D, 0x5C, 0xFF] {
                var bytes = Array(good.prefix(count))
                if count > 0 { bytes[count / 2] = changed }
                let challenges = AuthenticationChallenge.parse([String(decoding: bytes, as: UTF8.self)])
                #expect(challenges.allSatisfy { !$0.scheme.isEmpty && ($0.token == nil || $0.parameters.isEmpty) })
            }
        }
    }

    @Test("schemes and names are found in any case, and a realm is made fit to print")
    func lookedUp() throws {
        let challenge = try #require(AuthenticationChallenge.parse(["dIGEST Realm=\"a\u{1B}[2J\""]).first)
        #expect(challenge.isScheme("Digest"))
        #expect(challenge["REALM"] == challenge.realm)
        #expect(challenge["nonce"] == nil)
        #expect(!"\(challenge)".contains("\u{1B}"))
    }
}
