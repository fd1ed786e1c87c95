// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Testing

@testable import CumulusCore

/// The remembered challenges: nonces, their counts, and the strongest algorithm.
struct DigestSpacesTests {
    private let origin = Origin(scheme: .https, host: "a.example")

    private func challenge(_ nonce: String, _ algorithm: String = "MD5", realm: String = "r", more: String = "")
        -> String
    {
        "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=\(algorithm)\(more)"
    }

    private func parsed(_ lines: String...) -> [AuthenticationChallenge] { AuthenticationChallenge.parse(lines) }

    private func credentials(_ spaces: inout DigestSpaces) throws -> DigestCredentials {
        let credentials = spaces.credentials(for: origin, clientNonce: "c", prefersBody: false)
        return try #require(credentials)
    }

    private func answer(
        _ spaces: inout DigestSpaces,
        _ challenges: [AuthenticationChallenge],
        refused: DigestCredentials? = nil
    ) throws -> ChallengeDisposition {
        try spaces.answer(challenges, of: origin, refused: refused, clientNonce: "c0")
    }

    @Test("there are no credentials before a challenge, and then each use counts; another origin gets nothing")
    func counts() throws {
        var spaces = DigestSpaces()
        #expect(spaces.credentials(for: origin, clientNonce: "c", prefersBody: false) == nil)
        #expect(try answer(&spaces, parsed(challenge("n"))) == .again)
        #expect(try (0..<3).map { _ in try credentials(&spaces).count } == [1, 2, 3])
        let other = Origin(scheme: .https, host: "a.example", port: 8443)
        #expect(spaces.credentials(for: other, clientNonce: "c", prefersBody: false) == nil)
    }

    @Test("the strongest of several challenges is used, whatever their order")
    func strongest() throws {
        let lines = [
            challenge("1"), challenge("2", "SHA-256"), challenge("3", "SHA-512-256"), challenge("4", "MD5-sess"),
        ]
        for order in [lines, lines.reversed(), [lines.joined(separator: ", ")]] {
            var spaces = DigestSpaces()
            #expect(
                try spaces.answer(AuthenticationChallenge.parse(order), of: origin, refused: nil, clientNonce: "c")
                    == .again
            )
            #expect(try credentials(&spaces).offer.nonce == "3")
        }
        let unknown = challenge("5", "SHA-3")
        var spaces = DigestSpaces()
        for (lines, reason) in [
            ([unknown], "the unknown algorithm \"SHA-3\""),
            (["Digest realm=r, nonce=n, qop=\"auth-conf\""], "the unknown qop \"auth-conf\""),
            (["Digest realm=r", "Digest nonce=n", "Basic realm=r"], "has no nonce"),
            (["Digest realm=r, nonce=n, algorithm=MD5-sess"], "MD5-sess without qop"),
            (["Basic realm=r, Bearer"], "the server offers Basic, Bearer, not Digest"),
            ([], "contains no valid challenge"),
        ] {
            guard case .stop(let told) = try answer(&spaces, AuthenticationChallenge.parse(lines)) else {
                Issue.record("\(lines) is answered")
                continue
            }
            #expect(told.contains(reason))
        }
        #expect(try answer(&spaces, parsed(unknown, lines[0])) == .again)
    }

    @Test(
        "an origin that asks for a weaker algorithm than before is refused, in any realm",
        arguments: ["MD5", "SHA-256-sess"]
    )
    func downgrade(algorithm: String) throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1", "SHA-512-256"))) == .again)
        #expect(throws: AuthorizationProblem.self) { try answer(&spaces, parsed(challenge("2", algorithm))) }
        #expect(throws: AuthorizationProblem.self) {
            try answer(&spaces, parsed(challenge("3", algorithm, realm: "other")))
        }
        #expect(try answer(&spaces, parsed(challenge("4", "SHA-512-256-sess"))) == .again)
        let elsewhere = Origin(scheme: .https, host: "b.example")
        let weak = parsed(challenge("6", algorithm))
        #expect(try spaces.answer(weak, of: elsewhere, refused: nil, clientNonce: "c0") == .again)
        var later = spaces.withoutSessions
        #expect(later.credentials(for: origin, clientNonce: "c", prefersBody: false) == nil)
        #expect(throws: AuthorizationProblem.self) { try answer(&later, parsed(challenge("5", algorithm))) }
    }

    @Test("a challenge that drops qop, and so our own nonce, is refused")
    func droppedProtection() throws {
        let bare = "Digest realm=\"r\", nonce=\"2\", algorithm=SHA-256"
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1", "SHA-256"))) == .again)
        let problem = try #require(throws: AuthorizationProblem.self) { try answer(&spaces, parsed(bare)) }
        #expect("\(problem)".contains("SHA-256 without qop"))
        var fresh = DigestSpaces()
        #expect(try answer(&fresh, parsed(bare)) == .again, "an old server that never knew qop is served")
        #expect(try answer(&fresh, parsed(challenge("3", "SHA-256"))) == .again)
    }

    @Test("a next nonce that is too long to keep is ignored")
    func longNextNonce() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1"))) == .again)
        let first = try credentials(&spaces)
        spaces.accept(first, of: origin, nextNonce: FieldText(String(repeating: "n", count: 5_000)))
        #expect(try credentials(&spaces).offer.nonce == "1")
    }

    @Test("a stale nonce is replaced once, however many requests get another")
    func stale() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1"))) == .again)
        let proofs = try (0..<10).map { _ in try credentials(&spaces) }
        for (number, proof) in proofs.enumerated() {
            let fresh = challenge("fresh\(number)", more: ", stale=TRUE")
            #expect(try answer(&spaces, parsed(fresh), refused: proof) == .again)
        }
        let next = try credentials(&spaces)
        #expect(next.offer.nonce == "fresh0")
        #expect(next.count == 1)
    }

    @Test("a refused password is given up, unless its nonce was accepted before")
    func refused() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1"))) == .again)
        let (first, second) = (try credentials(&spaces), try credentials(&spaces))
        #expect(try answer(&spaces, parsed(challenge("2")), refused: first) == .refusedCredentials)
        #expect(try answer(&spaces, parsed(challenge("3")), refused: second) == .refusedCredentials)
        #expect(spaces.credentials(for: origin, clientNonce: "c", prefersBody: false) == nil)
        // A new request, without a proof, starts over.
        #expect(try answer(&spaces, parsed(challenge("4"))) == .again)
        let good = try credentials(&spaces)
        spaces.accept(good, of: origin, nextNonce: nil)
        #expect(try answer(&spaces, parsed(challenge("5")), refused: good) == .again)
        let again = try credentials(&spaces)
        #expect(again.offer.nonce == "5")
        #expect(try answer(&spaces, parsed(challenge("6")), refused: again) == .refusedCredentials)
    }

    @Test("the server's next nonce is used from then on, with a new count; a session keeps its first ones")
    func nextNonce() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1", "MD5-sess"))) == .again)
        let first = try credentials(&spaces)
        spaces.accept(first, of: origin, nextNonce: "2")
        let second = try credentials(&spaces)
        #expect(second.offer.nonce == "2")
        #expect(second.count == 1)
        #expect(second.sessionNonce == "1")
        #expect(second.clientNonce == "c0")
        #expect(second.sessionClientNonce == "c0")
    }

    @Test("a server that returns to an earlier nonce gets its next count")
    func earlierNonces() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1"))) == .again)
        var used: [String] = []
        for nonce in ["2", "1", "2", "1", "1", "3", "2", "4", "1"] {
            let next = try credentials(&spaces)
            used.append("\(next.offer.nonce.text) \(next.count)")
            spaces.accept(next, of: origin, nextNonce: FieldText(nonce))
        }
        #expect(used == ["1 1", "2 1", "1 2", "2 2", "1 3", "1 4", "3 1", "2 3", "4 1"])
        let last = try credentials(&spaces)
        #expect(last.offer.nonce == "1" && last.count == 5)
        // A challenge may repeat its nonce, too.
        #expect(try answer(&spaces, parsed(challenge("1", more: ", stale=true")), refused: last) == .again)
        let again = try credentials(&spaces)
        #expect(again.offer.nonce == "1" && again.count == 6)
        for nonce in (0..<(2 * DigestSpaces.mostNonces)).map({ "x\($0)" }) + ["1"] {
            let next = try credentials(&spaces)
            spaces.accept(next, of: origin, nextNonce: FieldText(nonce))
        }
        #expect(try credentials(&spaces).count == 1, "only the last nonces are remembered")
    }

    @Test("a site whose servers each have a nonce of their own never sees a count twice", arguments: [2, 12, 100])
    func cyclingNonces(servers: Int) throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("0"))) == .again)
        var seen: Set<String> = []
        for number in 1...(4 * servers) {
            let next = try credentials(&spaces)
            #expect(seen.insert("\(next.offer.nonce.text) \(next.count)").inserted)
            spaces.accept(next, of: origin, nextNonce: "\(number % servers)")
        }
    }

    @Test("an empty qop means none, as for servers of RFC 2069, and of a repeated parameter the last counts")
    func oldServers() throws {
        for line in ["Digest realm=r, nonce=n, qop=\"\"", "Digest realm=r, nonce=n, qop=\" , \""] {
            var spaces = DigestSpaces()
            #expect(try answer(&spaces, parsed(line)) == .again)
            #expect(try credentials(&spaces).protection == nil)
        }
        var spaces = DigestSpaces()
        let line = challenge("n", more: ", algorithm=SHA-256, nonce=m")
        #expect(try answer(&spaces, parsed(line)) == .again)
        #expect(try credentials(&spaces).offer.algorithm.name == "SHA-256")
        #expect(try credentials(&spaces).offer.nonce == "m")
    }

    @Test("a realm, nonce and opaque value that aren't UTF-8 go back, and are hashed, byte for byte")
    func bytes() throws {
        var latin = Array("Digest realm=\"B_ro\", nonce=\"_\", opaque=\"_\"".utf8)
        var others: [UInt8] = [0xFC, 0xE9, 0xFF]
        for index in latin.indices where latin[index] == UInt8(ascii: "_") { latin[index] = others.removeFirst() }
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, AuthenticationChallenge.parse([FieldText(latin)])) == .again)
        let used = try credentials(&spaces)
        let field = try used.field(
            for: Credentials(user: "u", password: "p"),
            method: "GET",
            target: "/x",
            body: nil
        )
        let sent = try #require(AuthenticationChallenge.parse([field]).first)
        #expect(sent.text(of: "realm")?.bytes == [0x42, 0xFC, 0x72, 0x6F])
        #expect(sent.text(of: "nonce")?.bytes == [0xE9] && sent.text(of: "opaque")?.bytes == [0xFF])
        func hash(_ parts: [[UInt8]]) -> [UInt8] {
            let joined = Array(parts.joined(separator: Array(":".utf8)))
            return Array(MessageDigest.hexadecimal(MessageDigest.bytes(of: joined, by: .md5)).utf8)
        }
        let key = hash([Array("u".utf8), [0x42, 0xFC, 0x72, 0x6F], Array("p".utf8)])
        let covered = hash([Array("GET".utf8), Array("/x".utf8)])
        #expect(sent.text(of: "response")?.bytes == hash([key, [0xE9], covered]))
        #expect(sent.realm == "B\u{FFFD}ro")
    }

    @Test("a server with ever new realms is always answered, in bounded memory, and can't weaken its challenge")
    func bounded() throws {
        var spaces = DigestSpaces()
        for number in 0..<(2 * DigestSpaces.mostSpaces) {
            #expect(try answer(&spaces, parsed(challenge("n", "SHA-256", realm: "\(number)"))) == .again)
            #expect(try credentials(&spaces).offer.realm == "\(number)")
        }
        #expect(spaces.count == DigestSpaces.mostSpaces)
        #expect(throws: AuthorizationProblem.self) { try answer(&spaces, parsed(challenge("n", realm: "0"))) }
        let long = String(repeating: "x", count: 5000)
        let told = try answer(&spaces, parsed(challenge(long, realm: "1")))
        #expect(told == .stop(because: "the nonce of the server's Digest challenge is too long"))
    }
}
