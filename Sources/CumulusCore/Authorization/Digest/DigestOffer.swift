// SPDX-License-Identifier: Apache-2.0

/// A challenge of Digest authentication, as far as it is supported (RFC 7616 section 3.3).
struct DigestOffer: Sendable, Equatable {
    /// What a proof covers (`qop`).
    enum Protection: String, Sendable {
        /// The method and the target.
        case head = "auth"
        /// The body as well.
        case body = "auth-int"
    }

    /// The length limit of a realm or nonce.
    static let longestText = 4096

    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// Whether the challenge named the algorithm; servers that don't may not know the parameter.
    let namesAlgorithm: Bool
    /// What a proof may cover; empty for servers of RFC 2069, which have no `qop`.
    let protections: Set<Protection>
    /// Whether only the nonce was too old.
    let isStale: Bool
    /// Whether the user's name is sent hashed.
    let hashesUser: Bool
    /// Whether the server reads names and passwords as UTF-8.
    let isUTF8: Bool

    /// `nil` for another scheme, an unknown algorithm or `qop`, or missing parameters.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let nonce = challenge["nonce"],
            let algorithm = DigestAlgorithm(challenge["algorithm"]),
            realm.utf8.count <= Self.longestText, nonce.utf8.count <= Self.longestText
        else { return nil }
        let offered = challenge["qop"]?.parts(at: ",").map { $0.trimmed.lowercased() } ?? []
        protections = Set(offered.compactMap(Protection.init))
        // A session's key includes a nonce of ours, which is only sent with `qop`.
        let isComplete = challenge["qop"] == nil ? !algorithm.isSession : !protections.isEmpty
        guard isComplete else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        namesAlgorithm = challenge["algorithm"] != nil
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
    }

    /// The strongest of several challenges; of equal ones the server's first.
    static func strongest(of challenges: [AuthenticationChallenge]) -> DigestOffer? {
        challenges.compactMap(DigestOffer.init).reduce(nil) { best, offer in
            guard let best, best.algorithm.strength >= offer.algorithm.strength else { return offer }
            return best
        }
    }

    /// How hard a proof is to break.
    var strength: Strength { Strength(algorithm: algorithm, hasClientNonce: !protections.isEmpty) }

    /// What a proof covers: the body only if the server demands it, or if the caller prefers it.
    func protection(prefersBody: Bool) -> Protection? {
        if protections.contains(.body), prefersBody || !protections.contains(.head) { return .body }
        return protections.contains(.head) ? .head : nil
    }
}
