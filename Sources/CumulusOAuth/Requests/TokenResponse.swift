// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A token endpoint's answer (RFC 6749 section 5.1).
///
/// The tokens and their type are read strictly, except that a missing type means Bearer: some large services omit it.
/// An odd lifetime or scope is ignored: the server has already replaced the refresh token that was sent, so refusing
/// its response would lose the new one.
struct TokenResponse: Sendable {
    /// The upper limit of lifetimes; longer ones are reduced to it.
    static let longestLife = Duration.seconds(10 * 365 * 86_400)

    let access: Secret<String>
    let refresh: Secret<String>?
    /// `nil` if the server didn't say.
    let lifetime: Duration?
    let scope: String?

    /// Reads a response; that of an exchange must say what kind of token it issued (RFC 8693 section 2.2.1).
    ///
    /// - Throws: ``OAuth2Error``.
    init(_ json: JSON, isExchange: Bool = false) throws(OAuth2Error) {
        guard case .object(let members) = json else { throw TokenResponse.malformed("it is not a JSON object") }
        guard let access = members["access_token"]?.string, OAuth2Token.isSendable(access) else {
            throw TokenResponse.malformed("its access_token is missing, or can't be sent in a header field")
        }
        let type = try TokenResponse.text(members, "token_type")
        guard type == nil || type?.lowercased() == "bearer" else {
            throw OAuth2Error(
                .unsupported,
                "the server issues tokens of a type other than Bearer: \(PeerText.quoted(type ?? ""))"
            )
        }
        if isExchange {
            guard members["issued_token_type"]?.string != nil else {
                throw TokenResponse.malformed("it has no issued_token_type")
            }
        }
        self.access = Secret(access)
        refresh = try TokenResponse.text(members, "refresh_token").map { Secret($0) }
        scope = TokenResponse.scope(members["scope"])
        lifetime = TokenResponse.lifetime(members["expires_in"])
    }

    /// Whole seconds, from a number or from digits, as some servers write them; `nil` for anything else.
    static func lifetime(_ json: JSON?) -> Duration? {
        let seconds: Double?
        switch json {
        case .number(let number): seconds = number.double
        case .string(let text): seconds = isPlain(text) ? Double(text) : nil
        default: seconds = nil
        }
        guard let seconds, seconds >= 0 else { return nil }
        let most = longestLife.components.seconds
        return seconds < Double(most) ? .seconds(Int64(seconds.rounded(.down))) : longestLife
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }
    }

    /// Names separated by spaces, or a list of them, as some servers write it; `nil` for anything else.
    private static func scope(_ json: JSON?) -> String? {
        let text: String
        switch json {
        case .string(let names): text = names
        case .array(let names): text = names.compactMap(\.string).joined(separator: " ")
        default: return nil
        }
        return text.isEmpty ? nil : text
    }

    /// The new refresh token of a response that is otherwise useless.
    static func rotation(in json: JSON) -> Secret<String>? {
        guard let text = json["refresh_token"].string, !text.isEmpty else { return nil }
        return Secret(text)
    }

    static func malformed(_ what: String, status: Int? = nil) -> OAuth2Error {
        OAuth2Error(.malformedResponse, "the authorization server's response can't be used: \(what)", status: status)
    }

    /// An optional string.
    static func text(_ members: JSON.Object, _ name: String) throws(OAuth2Error) -> String? {
        switch members[name] {
        case nil, .null: nil
        case .string(let text): text.isEmpty ? nil : text
        default: throw malformed("its \(name) must be a string")
        }
    }
}
