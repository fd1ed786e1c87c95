// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Digest authentication (RFC 7616), which authenticates with the password without sending
/// it.
///
/// It starts with the server's first challenge, which costs one additional request. From then on, requests are sent
/// with credentials. It supports MD5, SHA-256 and SHA-512-256, each with `-sess`, uses the strongest algorithm that is
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
    /// Its number, by which it recognizes its own credentials.
    private let number = ObjectNumber.next()

    /// Creates the authorizer.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - protectsBodies: Whether the credentials cover bodies whenever the server can check that (`auth-int`), not
    ///     only if it requires it.
    package convenience init(user: String, password: Secret<String>, protectsBodies: Bool = false) {
        self.init(Credentials(user: user, password: password), protectsBodies: protectsBodies)
    }

    /// Creates an authorizer that remembers the algorithms that servers requested of another one.
    init(_ credentials: Credentials, protectsBodies: Bool = false, after previous: DigestAuthorizer? = nil) {
        self.credentials = credentials
        prefersBody = protectsBodies
        spaces = Mutex(previous?.spaces.withLock(\.withoutSessions) ?? DigestSpaces())
    }

    /// The user and the password.
    package var identity: AuthorizerIdentity? {
        AuthorizerIdentity("Digest", Secret(credentials.user), credentials.password)
    }

    /// True: its count grows with each request (RFC 7616 section 3.4).
    package var hasSingleUseCredentials: Bool { true }

    /// True.
    package var avoidsMainActor: Bool { true }

    /// Sets `Authorization` if a server has requested it, unless the request already has it, or its body has to be read
    /// first.
    package func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        guard request.headers[.authorization] == nil else { return true }
        let bytes = request.body.bytesInMemory
        let credentials = spaces.withLock { spaces -> DigestCredentials?? in
            if bytes == nil, spaces.protection(for: request.origin, prefersBody: prefersBody) == .body { return nil }
            return .some(nextCredentials(&spaces, for: request.origin))
        }
        guard let credentials else { return false }
        guard let credentials else { return true }
        do {
            let hash = credentials.offer.algorithm.hash
            let digest = credentials.protection == .body ? bytes.map { BodyDigest.bytes(of: $0, by: hash) } : nil
            try add(credentials, to: &request, bodyDigest: digest)
            return true
        } catch {
            return false
        }
    }

    /// Sets `Authorization` if a server has requested it, unless the request already has it.
    package func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil else { return }
        let credentials = spaces.withLock { nextCredentials(&$0, for: request.origin) }
        guard let credentials else { return }
        var body: [UInt8]?
        if credentials.protection == .body {
            body = try await BodyDigest.bytes(of: request.body, by: credentials.offer.algorithm.hash)
        }
        try add(credentials, to: &request, bodyDigest: body)
    }

    private func nextCredentials(_ spaces: inout DigestSpaces, for origin: Origin) -> DigestCredentials? {
        spaces.credentials(for: origin, clientNonce: DigestAuthorizer.makeNonce(), prefersBody: prefersBody)
    }

    private func add(
        _ used: DigestCredentials,
        to request: inout EncodedRequest,
        bodyDigest: [UInt8]?
    ) throws(AuthorizationProblem) {
        let field = try used.field(
            for: credentials,
            method: request.method.rawValue,
            target: request.target,
            body: bodyDigest.map(MessageDigest.hexadecimal)
        )
        request.headers[fields: .authorization] = [HTTPField(name: .authorization, value: field.bytes)]
        request.authorizerStates.append(DigestUse(authorizer: number, credentials: used, target: request.target))
    }

    /// Adopts the challenge; stops if the password was refused.
    package func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        let (use, nonce) = (ownUse(in: challenge.request), DigestAuthorizer.makeNonce())
        return try spaces.withLock { spaces in
            try spaces.answer(
                challenge.challenges,
                of: challenge.request.origin,
                refused: use?.credentials,
                clientNonce: nonce
            )
        }
    }

    /// Verifies the server's own authentication, and takes over its next nonce (RFC 7616 section 3.5).
    package func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        guard head.status != .unauthorized, let use = ownUse(in: request) else { return nil }
        let field = head.headers[fields: .authenticationInfo].first?.bytes
        let info = field.flatMap { AuthenticationChallenge.parse([FieldText("Digest ".utf8 + $0.bytes)]).first }
        let check = try info.flatMap { try checkServer($0, head, to: request, use) }
        spaces.withLock { $0.accept(use.credentials, of: request.origin, nextNonce: info?.text(of: "nextnonce")) }
        return check
    }

    /// Verifies the server's own authentication, if it sent any; returns the check of a body that it covers.
    private func checkServer(
        _ info: AuthenticationChallenge,
        _ head: ResponseHead,
        to request: EncodedRequest,
        _ use: DigestUse
    ) throws -> BodyCheck? {
        guard let received = info["rspauth"]?.lowercased(), let own = use.credentials.protection else { return nil }
        // A server may respond with the other kind of protection.
        let named = info["qop"].flatMap { DigestOffer.Protection(rawValue: $0.lowercased()) }
        let (target, credentials, used) = (use.target, credentials, use.credentials.covering(named ?? own))
        guard used.protection == .body else {
            guard received == used.serversResponse(for: credentials, target: target) else { throw wrongServer("") }
            return nil
        }
        // The server may have hashed the body that it omitted.
        if request.method == .head || head.status == .notModified { return nil }
        return BodyCheck(used.offer.algorithm.hash) { digest in
            let body = MessageDigest.hexadecimal(digest)
            guard received == used.serversResponse(for: credentials, target: target, body: body) else {
                throw wrongServer(", or the response was changed in transit")
            }
        }
    }

    /// Whether a request was sent with credentials of this authorizer.
    func hasCredentials(in request: EncodedRequest) -> Bool { ownUse(in: request) != nil }

    /// This authorizer's credentials in a request.
    private func ownUse(in request: EncodedRequest) -> DigestUse? {
        request.authorizerStates.lazy.compactMap { $0 as? DigestUse }.last { $0.authorizer == number }
    }

    private static func makeNonce() -> FieldText {
        var numbers = SystemRandomNumberGenerator()
        return FieldText(MessageDigest.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &numbers) }))
    }
}

/// The error of a server that claims to know the password, but sends an incorrect value.
private func wrongServer(_ alternative: String) -> AuthorizationProblem {
    AuthorizationProblem(
        "the server's authentication (rspauth) is wrong: the server does not know the password\(alternative)"
    )
}

extension RequestBody {
    /// The bytes of a body in memory; `nil` for a file or a stream.
    fileprivate var bytesInMemory: ByteChunk? {
        switch self {
        case .none: ByteChunk([])
        case .bytes(let chunk): chunk
        case .file, .stream: nil
        }
    }
}
