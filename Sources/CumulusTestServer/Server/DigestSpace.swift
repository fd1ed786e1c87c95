// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import Synchronization

/// The server's side of Digest authentication (RFC 7616) for one user.
///
/// It creates challenges, and checks credentials.
///
///     let space = DigestSpace(user: "ada", password: "lovelace")
///     let result = space.judge(method: "GET", target: "/me", authorization: field)
///     if case .refused(let challenges) = result { print(challenges) }
public final class DigestSpace: Sendable {
    /// The behavior of a space.
    public struct Options: Sendable {
        /// The name of the protection space.
        public var realm = "test"
        /// The algorithms; each has its own challenge, in this order.
        public var algorithms = ["SHA-256"]
        /// The offered `qop` values, `auth`, `auth-int`; if empty, no `qop` is sent.
        public var protections = ["auth"]
        /// The number of times that a nonce can be used.
        public var nonceUses = Int.max
        /// Whether a refusal reports a stale nonce if everything else is correct.
        public var namesStale = true
        /// Whether each response contains a new nonce.
        public var sendsNextNonce = false
        /// Whether the user name is sent as a hash.
        public var hashesUser = false

        /// Creates the default options: SHA-256 over the head.
        public init() {}
    }

    /// The decision about a request.
    public enum AuthenticationResult: Sendable, Equatable {
        /// The credentials are valid; `info` is for `Authentication-Info`.
        case accepted(info: String)
        /// The credentials are missing or invalid; each challenge is for a separate `WWW-Authenticate` field.
        case refused(challenges: [String])
    }

    private struct State {
        var count = 0
        /// The counts received with each nonce.
        var uses: [String: Set<String>] = [:]
    }

    private let user: String
    private let password: String
    private let options: Options
    private let state = Mutex(State())

    /// Creates a space with one user.
    public init(user: String, password: String, options: Options = Options()) {
        self.user = user
        self.password = password
        self.options = options
    }

    /// The number of nonces issued.
    public var nonceCount: Int { state.withLock(\.count) }

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The target as received.
    ///   - authorization: The value of `Authorization`; `nil` if there was none.
    ///   - body: The body, for credentials that cover it.
    /// - Returns: Whether the request is the user's, or the challenges for the response.
    public func judge(
        method: String,
        target: String,
        authorization: String?,
        body: [UInt8] = []
    ) -> AuthenticationResult {
        guard let authorization, let proof = AuthenticationChallenge.parse([authorization]).first,
            proof.isScheme("Digest"), let nonce = proof["nonce"], proof["uri"] == target,
            proof.realm == options.realm, isUser(proof)
        else { return refusal(isStale: false) }
        let algorithm = proof["algorithm"] ?? "MD5"
        let covered = proof["qop"] == "auth-int" ? [method, target, hex(body, algorithm)] : [method, target]
        let isCovered = proof["qop"].map(options.protections.contains) ?? options.protections.isEmpty
        guard options.algorithms.contains(algorithm), isCovered,
            proof["response"] == response(proof, nonce, algorithm, covered)
        else { return refusal(isStale: false) }
        guard use(nonce, proof["nc"] ?? "") else { return refusal(isStale: true) }
        var info: [String] = []
        if let count = proof["nc"], let own = proof["cnonce"], let qop = proof["qop"] {
            info = ["qop=\(qop)", "nc=\(count)", "cnonce=\"\(own)\""]
            // With `auth-int` it also depends on the response's body, which isn't known here.
            if qop == "auth" { info.append("rspauth=\"\(response(proof, nonce, algorithm, ["", target]))\"") }
        }
        if options.sendsNextNonce { info.append("nextnonce=\"\(newNonce())\"") }
        return .accepted(info: info.joined(separator: ", "))
    }

    /// The server's own proof for an accepted request whose proof covers bodies (`auth-int`), as a parameter of
    /// `Authentication-Info`; `nil` for other requests, for which ``judge(method:target:authorization:body:)`` returns
    /// it.
    package func proof(answering authorization: String?, target: String, body: [UInt8]) -> String? {
        guard let authorization, let proof = AuthenticationChallenge.parse([authorization]).first,
            proof["qop"] == "auth-int", let nonce = proof["nonce"]
        else { return nil }
        let algorithm = proof["algorithm"] ?? "MD5"
        return "rspauth=\"\(response(proof, nonce, algorithm, ["", target, hex(body, algorithm)]))\""
    }

    private func refusal(isStale: Bool) -> AuthenticationResult {
        .refused(
            challenges: options.algorithms.map { algorithm in
                var parameters = ["realm=\"\(options.realm)\"", "nonce=\"\(newNonce())\"", "opaque=\"o\""]
                if algorithm != "MD5" || options.algorithms.count > 1 { parameters.append("algorithm=\(algorithm)") }
                if !options.protections.isEmpty {
                    parameters.append("qop=\"\(options.protections.joined(separator: ", "))\"")
                }
                if isStale, options.namesStale { parameters.append("stale=true") }
                if options.hashesUser { parameters.append("userhash=true") }
                return "Digest \(parameters.joined(separator: ", ")), charset=UTF-8"
            }
        )
    }

    private func isUser(_ proof: AuthenticationChallenge) -> Bool {
        if options.hashesUser {
            return proof["username"] == hex(Array("\(user):\(options.realm)".utf8), proof["algorithm"] ?? "MD5")
        }
        if let extended = proof["username*"] { return PercentCoding.decoded(extended) == "UTF-8''\(user)" }
        return proof["username"] == user
    }

    private func response(
        _ proof: AuthenticationChallenge,
        _ nonce: String,
        _ algorithm: String,
        _ covered: [String]
    ) -> String {
        func digest(_ parts: [String]) -> String { hex(Array(parts.joined(separator: ":").utf8), algorithm) }
        var key = digest([user, options.realm, password])
        let own = proof["cnonce"] ?? ""
        if algorithm.ends(with: "-sess") { key = digest([key, nonce, own]) }
        guard let qop = proof["qop"] else { return digest([key, nonce, digest(covered)]) }
        return digest([key, nonce, proof["nc"] ?? "", own, qop, digest(covered)])
    }

    private func hex(_ bytes: [UInt8], _ algorithm: String) -> String {
        let hash: MessageDigest.Algorithm =
            switch algorithm {
            case "SHA-256", "SHA-256-sess": .sha256
            case "SHA-512-256", "SHA-512-256-sess": .sha512Over256
            default: .md5
            }
        return MessageDigest.hexadecimal(MessageDigest.bytes(of: bytes, by: hash))
    }

    private func newNonce() -> String {
        state.withLock { state in
            state.count += 1
            let nonce = "n\(state.count)/\u{3D}="
            state.uses[nonce] = []
            return nonce
        }
    }

    /// Uses a nonce with a count, and returns whether it may be: each count once.
    private func use(_ nonce: String, _ count: String) -> Bool {
        state.withLock { state in
            guard let uses = state.uses[nonce], uses.count < options.nonceUses, count.isEmpty || !uses.contains(count)
            else { return false }
            state.uses[nonce]?.insert(count)
            return true
        }
    }
}
