// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A challenge of Digest authentication, with its supported parameters (RFC 7616 section 3.3).
struct DigestOffer: Sendable, Equatable {
    /// The parts of a message that the credentials cover (`qop`).
    enum Protection: String, Sendable {
        /// The method and the target.
        case head = "auth"
        /// The body as well.
        case body = "auth-int"
    }

    /// The maximum length of a realm or nonce.
    static let longestText = 4096

    let realm: FieldText
    var nonce: FieldText
    let opaque: FieldText?
    let algorithm: DigestAlgorithm
    /// Whether the challenge contained the algorithm; servers that omit it may not know the parameter.
    let namesAlgorithm: Bool
    /// The parts that the credentials may cover; empty for servers of RFC 2069, which have no `qop`.
    let protections: Set<Protection>
    /// Whether only the nonce was too old.
    let isStale: Bool
    /// Whether the user name is sent as a hash.
    let hashesUser: Bool
    /// Whether the server reads names and passwords as UTF-8.
    let isUTF8: Bool

    /// - Throws: ``AuthorizationProblem`` for another scheme, an unknown algorithm or `qop`, or missing parameters.
    init(_ challenge: AuthenticationChallenge) throws(AuthorizationProblem) {
        guard challenge.isScheme("Digest") else { throw AuthorizationProblem("the server doesn't offer Digest") }
        func text(_ name: String) throws(AuthorizationProblem) -> FieldText {
            guard let text = challenge.text(of: name) else {
                throw AuthorizationProblem("the server's Digest challenge has no \(name)")
            }
            guard text.bytes.count <= Self.longestText else {
                throw AuthorizationProblem("the \(name) of the server's Digest challenge is too long")
            }
            return text
        }
        let (realm, nonce) = (try text("realm"), try text("nonce"))
        guard let algorithm = DigestAlgorithm(challenge["algorithm"]) else {
            let name = PeerText.printable(challenge["algorithm"] ?? "", limit: 40)
            throw AuthorizationProblem("the server's Digest challenge requires the unknown algorithm \"\(name)\"")
        }
        // Some servers of RFC 2069 send it empty.
        let offered = challenge["qop"]?.parts(at: ",").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty } ?? []
        protections = Set(offered.compactMap(Protection.init))
        if protections.isEmpty, !offered.isEmpty {
            let name = PeerText.printable(challenge["qop"] ?? "", limit: 40)
            throw AuthorizationProblem("the server's Digest challenge requires the unknown qop \"\(name)\"")
        }
        // A session's key includes a nonce of ours, which is only sent with `qop`.
        if protections.isEmpty, algorithm.isSession {
            throw AuthorizationProblem("the server's Digest challenge requires \(algorithm.name) without qop")
        }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge.text(of: "opaque")
        namesAlgorithm = challenge["algorithm"] != nil
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
    }

    /// The strongest of several challenges; of equally strong ones the server's first.
    static func strongest(of challenges: [AuthenticationChallenge]) -> DigestOffer? {
        challenges.compactMap { try? DigestOffer($0) }.reduce(nil) { best, offer in
            guard let best, best.algorithm.strength >= offer.algorithm.strength else { return offer }
            return best
        }
    }

    /// The reason why no response to any of the challenges is possible.
    static func problem(with challenges: [AuthenticationChallenge]) -> String {
        do {
            guard let own = challenges.first(where: { $0.isScheme("Digest") }) else {
                return UnsupportedSchemes.missing("Digest", among: challenges)
            }
            _ = try DigestOffer(own)
            return UnsupportedSchemes.missing("Digest", among: challenges)
        } catch {
            return error.description
        }
    }

    /// The strength of the credentials against attacks.
    var strength: Strength { Strength(algorithm: algorithm, hasClientNonce: !protections.isEmpty) }

    /// The parts that the credentials cover: the body only if the server requires it, or if the caller prefers it.
    func protection(prefersBody: Bool) -> Protection? {
        if protections.contains(.body), prefersBody || !protections.contains(.head) { return .body }
        return protections.contains(.head) ? .head : nil
    }
}

extension DigestOffer {
    /// The strength of a challenge's credentials against attacks.
    struct Strength: Sendable, CustomStringConvertible {
        let algorithm: DigestAlgorithm
        /// Whether credentials include a nonce of ours (`qop`).
        ///
        /// Without one, a server can choose its nonce to use precomputed tables.
        let hasClientNonce: Bool

        /// Whether replacing a challenge of this strength with one of the other strength would weaken it.
        func isMore(than other: Strength) -> Bool {
            algorithm.strength > other.algorithm.strength || (hasClientNonce && !other.hasClientNonce)
        }

        /// The stronger one in each respect.
        func atLeast(_ other: Strength?) -> Strength {
            guard let other else { return self }
            return Strength(
                algorithm: algorithm.strength >= other.algorithm.strength ? algorithm : other.algorithm,
                hasClientNonce: hasClientNonce || other.hasClientNonce
            )
        }

        /// The algorithm, and the parameter that is missing.
        var description: String { hasClientNonce ? algorithm.name : "\(algorithm.name) without qop" }
    }
}
