// SPDX-License-Identifier: Apache-2.0

/// The credentials of one request: an offer, a count of its nonce, and a nonce of ours (RFC 7616 section 3.4).
struct DigestCredentials: Sendable {
    let offer: DigestOffer
    private(set) var protection: DigestOffer.Protection?
    /// The number of times that the nonce was used, including this one.
    let count: UInt32
    /// Our nonce.
    let clientNonce: FieldText
    /// The nonces of the session's first request, for algorithms with `-sess`.
    let sessionNonce: FieldText
    let sessionClientNonce: FieldText

    /// The same credentials with another protection.
    func covering(_ protection: DigestOffer.Protection) -> DigestCredentials {
        var credentials = self
        credentials.protection = protection
        return credentials
    }

    private var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// The value of `Authorization`.
    ///
    /// - Parameters:
    ///   - credentials: The user's name and password.
    ///   - method: The request's method.
    ///   - target: The request's target, as it is sent.
    ///   - body: The body's digest in hexadecimal digits, if it is covered.
    /// - Returns: The value, with its scheme.
    /// - Throws: ``AuthorizationProblem`` for a user name that isn't allowed in a header.
    func field(
        for credentials: Credentials,
        method: String,
        target: String,
        body: String?
    ) throws(AuthorizationProblem) -> FieldText {
        var parameters = [
            try name(of: credentials.user),
            Self.quoted("realm", offer.realm),
            Self.quoted("uri", FieldText(target)),
        ]
        if offer.namesAlgorithm { parameters.append("algorithm=\(offer.algorithm.name)") }
        parameters.append(Self.quoted("nonce", offer.nonce))
        if let protection {
            parameters += ["nc=\(countText)", Self.quoted("cnonce", clientNonce), "qop=\(protection.rawValue)"]
        }
        let answer = response(for: credentials, "\(method):\(target)", body: body)
        parameters.append(Self.quoted("response", FieldText(answer)))
        if let opaque = offer.opaque { parameters.append(Self.quoted("opaque", opaque)) }
        if offer.hashesUser { parameters.append("userhash=true") }
        return FieldText(Array("Digest ".utf8) + Array(parameters.map(\.bytes).joined(separator: Array(", ".utf8))))
    }

    /// The `rspauth` of a server that knows the password (RFC 7616 section 3.5).
    ///
    /// - Parameters:
    ///   - credentials: The user's name and the password that the server knows.
    ///   - target: The request's target, as it was sent.
    ///   - body: The digest of the response's body in hexadecimal digits, if it is covered.
    /// - Returns: The value.
    func serversResponse(for credentials: Credentials, target: String, body: String? = nil) -> String {
        response(for: credentials, ":\(target)", body: body)
    }

    private func response(for credentials: Credentials, _ covered: String, body: String?) -> String {
        let algorithm = offer.algorithm
        let (user, password) = (FieldText(credentials.user), FieldText(credentials.password.revealed))
        var key = FieldText(algorithm.digest(user, offer.realm, password))
        if algorithm.isSession { key = FieldText(algorithm.digest(key, sessionNonce, sessionClientNonce)) }
        let covered = FieldText(covered)
        let message = FieldText(body.map { algorithm.digest(covered, FieldText($0)) } ?? algorithm.digest(covered))
        guard let protection else { return algorithm.digest(key, offer.nonce, message) }
        return algorithm.digest(
            key,
            offer.nonce,
            FieldText(countText),
            clientNonce,
            FieldText(protection.rawValue),
            message
        )
    }

    /// The user's name: hashed, unchanged, or encoded as RFC 8187 defines if it is non-ASCII and the server reads
    /// UTF-8.
    private func name(of user: String) throws(AuthorizationProblem) -> FieldText {
        if offer.hashesUser {
            let hashed = offer.algorithm.digest(FieldText(user), offer.realm)
            return Self.quoted("username", FieldText(hashed))
        }
        let isPlain = user.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        if !isPlain, offer.isUTF8 { return "username*=UTF-8''\(PercentEncoding.encode(user))" }
        guard user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw AuthorizationProblem("the user name contains a control character, which is not allowed in a header")
        }
        return Self.quoted("username", FieldText(user))
    }

    private static func quoted(_ name: String, _ value: FieldText) -> FieldText {
        var bytes = Array("\(name)=\"".utf8)
        for byte in value.bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return FieldText(bytes)
    }
}
