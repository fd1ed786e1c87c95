// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Digest authentication (RFC 7616), which authenticates with the password without sending it.
///
/// It starts with the server's first challenge, which costs one more request. From then on, requests are sent with
/// credentials. It supports MD5, SHA-256 and SHA-512-256, each with `-sess`, uses the strongest algorithm that is
/// offered, and refuses an origin that requests weaker credentials than before. If the server authenticates itself
/// (`rspauth`), an incorrect value fails the request: immediately, or at the body's end if the value covers the body
/// (`auth-int`), which downloads don't check. If the credentials cover a request's body, the body is read once more
/// before it is sent.
///
/// User and password are used unchanged. For non-ASCII characters, RFC 7616 section 4 requires Unicode Normalization
/// Form C (NFC), which text from a keyboard usually has; Foundation's `precomposedStringWithCanonicalMapping` converts
/// to it.
///
/// An authorizer that is set on several resources shares what it has learned.
package final class DigestAuthorizer: Authorizer {
    private let credentials: Credentials
    private let prefersBody: Bool
    private let spaces: Mutex<DigestSpaces>
    /// The prefix of all nonces of this authorizer, by which it recognizes its own credentials.
    private let tag: String

    /// Makes the authorizer.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - protectsBodies: Whether the credentials cover bodies whenever the server can check that (`auth-int`), not
    ///     only if it requires it.
    package convenience init(user: String, password: Secret<String>, protectsBodies: Bool = false) {
        self.init(Credentials(user: user, password: password), protectsBodies: protectsBodies)
    }

    /// Makes an authorizer that remembers the algorithms that servers requested of another one.
    init(_ credentials: Credentials, protectsBodies: Bool = false, after previous: DigestAuthorizer? = nil) {
        self.credentials = credentials
        prefersBody = protectsBodies
        tag = DigestAuthorizer.randomText(of: 4)
        spaces = Mutex(previous?.spaces.withLock(\.withoutSessions) ?? DigestSpaces())
    }

    /// The user and the password.
    package var identity: AuthorizerIdentity? {
        AuthorizerIdentity("Digest", Secret(credentials.user), credentials.password)
    }

    /// True: its count grows with each request (RFC 7616 section 3.4).
    package var provesOnce: Bool { true }

    /// True.
    package var avoidsMainActor: Bool { true }

    /// Sets `Authorization` if a server has requested it, unless the request already has it.
    package func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil else { return }
        let (origin, nonce) = (request.origin, makeNonce())
        let proof = spaces.withLock { $0.proof(for: origin, clientNonce: nonce, prefersBody: prefersBody) }
        guard let proof else { return }
        var body: String?
        if proof.protection == .body {
            let bytes = try await BodyDigest.bytes(of: request.body, by: proof.offer.algorithm.hash)
            body = MessageDigest.hexadecimal(bytes)
        }
        let field = try proof.field(
            for: credentials,
            method: request.method.rawValue,
            target: request.target,
            body: body
        )
        request.headers[fields: .authorization] = [HTTPField(name: .authorization, value: field.bytes)]
    }

    /// Adopts the challenge; stops if the password was refused.
    package func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        let (use, nonce) = (ownUse(in: challenge.request), makeNonce())
        return try spaces.withLock { spaces in
            try spaces.answer(
                challenge.challenges,
                of: challenge.request.origin,
                refused: use,
                clientNonce: nonce
            )
        }
    }

    /// Verifies the server's own authentication, and takes over its next nonce (RFC 7616 section 3.5).
    package func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        guard head.status != .unauthorized, let use = ownUse(in: request) else { return nil }
        let field = head.headers[fields: .authenticationInfo].first?.bytes
        let info = field.flatMap { AuthenticationChallenge.parse([FieldText("Digest ".utf8 + $0.bytes)]).first }
        let check = try info.flatMap { try checkProof(in: $0, of: head, to: request, proven: use) }
        spaces.withLock { $0.accept(use, of: request.origin, nextNonce: info?.text(of: "nextnonce")) }
        return check
    }

    /// Verifies the server's own authentication, if it sent any; returns the check of a body that it covers.
    private func checkProof(
        in info: AuthenticationChallenge,
        of head: ResponseHead,
        to request: EncodedRequest,
        proven use: DigestUse
    ) throws -> BodyCheck? {
        guard let proven = info["rspauth"]?.lowercased() else { return nil }
        // A server may respond with the other kind of protection.
        let named = info["qop"].flatMap { DigestOffer.Protection(rawValue: $0.lowercased()) }
        let answered = use.protection == nil ? use : use.covering(named ?? use.protection)
        guard let proof = spaces.withLock({ $0.proof(of: answered, at: request.origin) }) else { return nil }
        let (target, credentials) = (use.target, credentials)
        switch answered.protection {
        case .head:
            guard proven == proof.serversResponse(for: credentials, target: target) else {
                throw wrongProof("")
            }
            return nil
        case .body:
            // The server may have hashed the body that it omitted.
            if request.method == .head || head.status == .notModified { return nil }
            return BodyCheck(proof.offer.algorithm.hash) { digest in
                let body = MessageDigest.hexadecimal(digest)
                guard proven == proof.serversResponse(for: credentials, target: target, body: body) else {
                    throw wrongProof(", or the response was changed on its way")
                }
            }
        case nil: return nil
        }
    }

    private func makeNonce() -> FieldText { FieldText(tag + DigestAuthorizer.randomText(of: 16)) }

    /// Whether a request was sent with credentials of this authorizer.
    func hasCredentials(in request: EncodedRequest) -> Bool { ownUse(in: request) != nil }

    /// This authorizer's credentials in a request.
    ///
    /// Without `qop`, they contain no nonce of ours that identifies them.
    private func ownUse(in request: EncodedRequest) -> DigestUse? {
        DigestUse(request).flatMap { $0.clientNonce?.bytes.starts(with: tag.utf8) == false ? nil : $0 }
    }

    private static func randomText(of count: Int) -> String {
        var numbers = SystemRandomNumberGenerator()
        return MessageDigest.hexadecimal((0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) })
    }
}

/// The error of a server that claims to know the password, but sends an incorrect value.
private func wrongProof(_ alternative: String) -> AuthorizationProblem {
    AuthorizationProblem("the server's proof (rspauth) is wrong: it does not know the password\(alternative)")
}
