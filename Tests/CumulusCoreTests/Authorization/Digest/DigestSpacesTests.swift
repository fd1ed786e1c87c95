// SPDX-License-Identifier: Apache-2.0

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

    private func use(_ proof: DigestProof) throws -> DigestUse {
        let url = try RequestURL("https://a.example/x")
        let field = try proof.field(
            for: Credentials(user: "u", password: "p"),
            method: "GET",
            target: "/x",
            body: nil
        )
        return try #require(DigestUse(EncodedRequest(method: .get, url: url, headers: [.authorization: field])))
    }

    private func proof(_ spaces: inout DigestSpaces) throws -> DigestProof {
        let proof = spaces.proof(for: origin, clientNonce: "c", prefersBody: false)
        return try #require(proof)
    }

    private func answer(
        _ spaces: inout DigestSpaces,
        _ challenges: [AuthenticationChallenge],
        refused: DigestProof? = nil
    ) throws -> ChallengeAnswer {
        try spaces.answer(challenges, of: origin, refused: refused.map(use), clientNonce: "c0")
    }

    @Test("there is no proof before a challenge, and then each use counts; another origin gets nothing")
    func counts() throws {
        var spaces = DigestSpaces()
        #expect(spaces.proof(for: origin, clientNonce: "c", prefersBody: false) == nil)
        #expect(try answer(&spaces, parsed(challenge("n"))) == .again)
        #expect(try (0..<3).map { _ in try proof(&spaces).count } == [1, 2, 3])
        let other = Origin(scheme: .https, host: "a.example", port: 8443)
        #expect(spaces.proof(for: other, clientNonce: "c", prefersBody: false) == nil)
    }

    @Test("T-71: the strongest of several challenges is used, whatever their order")
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
            #expect(try proof(&spaces).offer.nonce == "3")
        }
        let unknown = challenge("5", "SHA-3")
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(unknown)) == .giveUp)
        #expect(try answer(&spaces, parsed("Digest realm=r, nonce=n, qop=\"auth-conf\"")) == .giveUp)
        #expect(try answer(&spaces, parsed("Digest realm=r", "Digest nonce=n", "Basic realm=r")) == .giveUp)
        #expect(try answer(&spaces, parsed("Digest realm=r, nonce=n, algorithm=MD5-sess")) == .giveUp)
        #expect(try answer(&spaces, parsed(unknown, lines[0])) == .again)
    }

    @Test(
        "T-71: an origin that asks for a weaker algorithm than before is refused, in any realm",
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
        #expect(later.proof(for: origin, clientNonce: "c", prefersBody: false) == nil)
        #expect(throws: AuthorizationProblem.self) { try answer(&later, parsed(challenge("5", algorithm))) }
    }

    @Test("T-71: a challenge that drops qop, and so our own nonce, is refused")
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
        let first = try proof(&spaces)
        spaces.accept(try use(first), of: origin, nextNonce: String(repeating: "n", count: 5_000))
        #expect(try proof(&spaces).offer.nonce == "1")
    }

    @Test("T-71: a stale nonce is replaced once, however many requests get another")
    func stale() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1"))) == .again)
        let proofs = try (0..<10).map { _ in try proof(&spaces) }
        for (number, proof) in proofs.enumerated() {
            let fresh = challenge("fresh\(number)", more: ", stale=TRUE")
            #expect(try answer(&spaces, parsed(fresh), refused: proof) == .again)
        }
        let next = try proof(&spaces)
        #expect(next.offer.nonce == "fresh0")
        #expect(next.count == 1)
    }

    @Test("a refused password is given up, unless its nonce was accepted before")
    func refused() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1"))) == .again)
        let (first, second) = (try proof(&spaces), try proof(&spaces))
        #expect(try answer(&spaces, parsed(challenge("2")), refused: first) == .giveUp)
        #expect(try answer(&spaces, parsed(challenge("3")), refused: second) == .giveUp)
        #expect(spaces.proof(for: origin, clientNonce: "c", prefersBody: false) == nil)
        // A new request, without a proof, starts over.
        #expect(try answer(&spaces, parsed(challenge("4"))) == .again)
        let good = try proof(&spaces)
        spaces.accept(try use(good), of: origin, nextNonce: nil)
        #expect(try answer(&spaces, parsed(challenge("5")), refused: good) == .again)
        let again = try proof(&spaces)
        #expect(again.offer.nonce == "5")
        #expect(try answer(&spaces, parsed(challenge("6")), refused: again) == .giveUp)
    }

    @Test("the server's next nonce is used from then on, with a new count; a session keeps its first ones")
    func nextNonce() throws {
        var spaces = DigestSpaces()
        #expect(try answer(&spaces, parsed(challenge("1", "MD5-sess"))) == .again)
        let first = try proof(&spaces)
        spaces.accept(try use(first), of: origin, nextNonce: "2")
        let second = try proof(&spaces)
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
            let next = try proof(&spaces)
            used.append("\(next.offer.nonce) \(next.count)")
            spaces.accept(try use(next), of: origin, nextNonce: nonce)
        }
        #expect(used == ["1 1", "2 1", "1 2", "2 2", "1 3", "1 4", "3 1", "2 3", "4 1"])
        let last = try proof(&spaces)
        #expect(last.offer.nonce == "1" && last.count == 5)
        // A challenge may repeat its nonce, too.
        #expect(try answer(&spaces, parsed(challenge("1", more: ", stale=true")), refused: last) == .again)
        let again = try proof(&spaces)
        #expect(again.offer.nonce == "1" && again.count == 6)
        for nonce in (0..<100).map({ "x\($0)" }) + ["1"] {
            let next = try proof(&spaces)
            spaces.accept(try use(next), of: origin, nextNonce: nonce)
        }
        #expect(try proof(&spaces).count == 1, "only the last few nonces are remembered")
    }

    @Test("a server with ever new realms is always answered, in bounded memory, and can't weaken its challenge")
    func bounded() throws {
        var spaces = DigestSpaces()
        for number in 0..<(2 * DigestSpaces.mostSpaces) {
            #expect(try answer(&spaces, parsed(challenge("n", "SHA-256", realm: "\(number)"))) == .again)
            #expect(try proof(&spaces).offer.realm == "\(number)")
        }
        #expect(spaces.count == DigestSpaces.mostSpaces)
        #expect(throws: AuthorizationProblem.self) { try answer(&spaces, parsed(challenge("n", realm: "0"))) }
        let long = String(repeating: "x", count: 5000)
        #expect(try answer(&spaces, parsed(challenge(long, realm: "1"))) == .giveUp)
    }
}
