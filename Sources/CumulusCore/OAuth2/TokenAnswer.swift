// SPDX-License-Identifier: Apache-2.0

/// A token endpoint's answer, parsed strictly (RFC 6749 section 5.1).
struct TokenAnswer: Sendable {
    /// The upper limit of lifetimes; longer ones are reduced to it.
    static let longestLife = Duration.seconds(10 * 365 * 86_400)

    let access: Secret<String>
    let refresh: Secret<String>?
    /// `nil` if the server didn't say.
    let lifetime: Duration?
    let scope: String?

    /// Reads an answer; that of an exchange must say what kind of token it issued (RFC 8693 section 2.2.1).
    ///
    /// - Throws: ``OAuth2Error``.
    init(_ json: JSON, isExchange: Bool = false) throws(OAuth2Error) {
        guard case .object(let members) = json else { throw TokenAnswer.malformed("it is not a JSON object") }
        guard let access = members["access_token"]?.string, OAuth2Token.isSendable(access) else {
            throw TokenAnswer.malformed("it has no access_token that a header field can carry")
        }
        guard let type = members["token_type"]?.string else { throw TokenAnswer.malformed("it has no token_type") }
        guard type.lowercased() == "bearer" else {
            throw OAuth2Error(
                .unsupported,
                "the server issues tokens of another type than Bearer: \(RequestURL.quote(type))"
            )
        }
        if isExchange {
            guard members["issued_token_type"]?.string != nil else {
                throw TokenAnswer.malformed("it has no issued_token_type")
            }
        }
        self.access = Secret(access)
        refresh = try TokenAnswer.text(members, "refresh_token").map { Secret($0) }
        scope = try TokenAnswer.text(members, "scope")
        lifetime = try TokenAnswer.lifetime(members["expires_in"])
    }

    /// Seconds as a number, or as digits, as some servers write them.
    static func lifetime(_ json: JSON?) throws(OAuth2Error) -> Duration? {
        let seconds: Int?
        switch json {
        case nil, .null: return nil
        case .number(let number): seconds = number.int
        case .string(let text):
            let isPlain = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            seconds = isPlain ? Int(text) : nil
        default: seconds = nil
        }
        guard let seconds, seconds >= 0 else { throw malformed("its expires_in is not a number of seconds") }
        return min(.seconds(seconds), longestLife)
    }

    static func malformed(_ what: String, status: Int? = nil) -> OAuth2Error {
        OAuth2Error(.malformedAnswer, "the authorization server's response can't be used: \(what)", status: status)
    }

    /// An optional string.
    static func text(_ members: JSON.Object, _ name: String) throws(OAuth2Error) -> String? {
        switch members[name] {
        case nil, .null: nil
        case .string(let text): text.isEmpty ? nil : text
        default: throw malformed("its \(name) is not text")
        }
    }
}
