// SPDX-License-Identifier: Apache-2.0

/// The challenges of Digest servers so far: for each origin and realm, the nonce to use and its count; for each origin,
/// the strongest challenge.
///
/// A value without I/O or randomness, which makes credentials from challenges and response heads.
struct DigestSpaces: Sendable {
    struct Space: Hashable, Sendable {
        let origin: Origin
        let realm: FieldText
    }

    private struct Session: Sendable {
        var offer: DigestOffer
        var count: UInt32 = 0
        /// Whether credentials with this nonce were accepted.
        ///
        /// A refusal then means that the nonce is too old.
        var isAccepted = false
        let firstNonce: FieldText
        let firstClientNonce: FieldText
        /// The counts of earlier nonces, since a server may return to one of them.
        private var earlier: [(nonce: FieldText, count: UInt32)] = []
        private var earlierBytes = 0

        /// Begins a session, and takes over the counts of earlier nonces from the one before it.
        init(_ offer: DigestOffer, clientNonce: FieldText, after previous: Session?) {
            self.offer = previous?.offer ?? offer
            firstNonce = offer.nonce
            firstClientNonce = clientNonce
            count = previous?.count ?? 0
            (earlier, earlierBytes) = (previous?.earlier ?? [], previous?.earlierBytes ?? 0)
            use(offer.nonce)
            self.offer = offer
        }

        /// Changes to a nonce, whose count continues if it was used before.
        mutating func use(_ nonce: FieldText) {
            guard nonce != offer.nonce else { return }
            earlier.append((offer.nonce, count))
            earlierBytes += offer.nonce.bytes.count
            offer.nonce = nonce
            let known = earlier.firstIndex { $0.nonce == nonce }
            count = known.map { forget($0) } ?? 0
            while earlier.count > DigestSpaces.mostNonces || earlierBytes > DigestSpaces.mostNonceBytes {
                _ = forget(0)
            }
        }

        private mutating func forget(_ index: Int) -> UInt32 {
            let (nonce, count) = earlier.remove(at: index)
            earlierBytes -= nonce.bytes.count
            return count
        }
    }

    /// The maximum number of realms, more than any real server has.
    ///
    /// Beyond it, another realm is removed.
    ///
    /// The strength of the challenges is never removed.
    static let mostSpaces = 256
    /// The maximum number of earlier nonces of a session that are remembered: more than a site has servers, each with
    /// its own.
    static let mostNonces = 256
    /// The maximum number of their bytes.
    static let mostNonceBytes = 64 * 1024

    private var sessions: [Space: Session] = [:]
    /// By origin, not by realm, since an attacker who weakens a challenge may rename its realm.
    private var strongest: [Origin: DigestOffer.Strength] = [:]
    /// The realm of an origin's last challenge, for which credentials are sent with each request.
    private var latest: [Origin: Space] = [:]

    /// The number of sessions; for tests.
    var count: Int { sessions.count }

    /// Processes a refusal.
    /// - Parameters:
    ///   - challenges: The server's challenges.
    ///   - origin: The origin that sent them.
    ///   - refused: The credentials that were refused; `nil` if we sent none.
    ///   - clientNonce: A new nonce of ours.
    /// - Returns: Whether the next credentials may succeed.
    /// - Throws: ``AuthorizationProblem`` if the server offers weaker protection than before.
    mutating func answer(
        _ challenges: [AuthenticationChallenge],
        of origin: Origin,
        refused: DigestCredentials?,
        clientNonce: FieldText
    ) throws(AuthorizationProblem) -> ChallengeDisposition {
        guard let offer = DigestOffer.strongest(of: challenges) else {
            return .stop(because: DigestOffer.problem(with: challenges))
        }
        let space = Space(origin: origin, realm: offer.realm)
        if let seen = strongest[origin], seen.isMore(than: offer.strength) {
            throw AuthorizationProblem(
                "the server now offers only Digest with \(offer.strength), although it offered \(seen) before: "
                    + "an attacker may have weakened its offer"
            )
        }
        latest[origin] = space
        if let session = sessions[space] {
            // Another request received a new nonce in the meantime; with many requests, each response may contain one.
            if refused?.offer.nonce != session.offer.nonce { return .again }
            guard offer.isStale || session.isAccepted else {
                sessions[space] = nil
                return .refusedCredentials
            }
        } else if let refused, refused.offer.realm == offer.realm, !offer.isStale {
            // Another request's refusal has ended the session.
            return .refusedCredentials
        }
        remember(offer, of: space, clientNonce: clientNonce)
        return .again
    }

    /// The state that a new authorizer takes over: the strength of the challenges.
    var withoutSessions: DigestSpaces {
        var spaces = DigestSpaces()
        spaces.strongest = strongest
        return spaces
    }

    /// The credentials for the next request to an origin; `nil` if the server hasn't requested any, or a nonce is used
    /// up.
    mutating func credentials(for origin: Origin, clientNonce: FieldText, prefersBody: Bool) -> DigestCredentials? {
        guard let space = latest[origin], var session = sessions[space] else { return nil }
        guard session.count < .max else {
            sessions[space] = nil
            return nil
        }
        session.count += 1
        sessions[space] = session
        return DigestCredentials(
            offer: session.offer,
            protection: session.offer.protection(prefersBody: prefersBody),
            count: session.count,
            // The same for a whole session, so that servers that use the current nonce instead of the first one agree.
            clientNonce: session.offer.algorithm.isSession ? session.firstClientNonce : clientNonce,
            sessionNonce: session.firstNonce,
            sessionClientNonce: session.firstClientNonce
        )
    }

    /// The parts that the next credentials for an origin cover; `nil` without `qop`, or without credentials.
    func protection(for origin: Origin, prefersBody: Bool) -> DigestOffer.Protection? {
        latest[origin].flatMap { sessions[$0]?.offer.protection(prefersBody: prefersBody) }
    }

    /// Records that credentials were accepted, and the next nonce if the server sent one.
    mutating func accept(_ used: DigestCredentials, of origin: Origin, nextNonce: FieldText?) {
        let space = Space(origin: origin, realm: used.offer.realm)
        guard var session = sessions[space] else { return }
        let nextNonce = nextNonce.flatMap { $0.bytes.count <= DigestOffer.longestText ? $0 : nil }
        if session.offer.nonce == used.offer.nonce { session.isAccepted = true }
        if let nextNonce, nextNonce != session.offer.nonce {
            session.use(nextNonce)
            session.isAccepted = true
        }
        sessions[space] = session
    }

    /// Removes a session, preferably of the same origin, whose next request then receives a challenge again.
    private mutating func makeRoom(for origin: Origin) {
        let own = sessions.keys.first { $0.origin == origin }
        if let other = own ?? sessions.keys.first { sessions[other] = nil }
    }

    private mutating func remember(_ offer: DigestOffer, of space: Space, clientNonce: FieldText) {
        if sessions[space] == nil, sessions.count >= Self.mostSpaces { makeRoom(for: space.origin) }
        sessions[space] = Session(offer, clientNonce: clientNonce, after: sessions[space])
        strongest[space.origin] = offer.strength.atLeast(strongest[space.origin])
    }
}
