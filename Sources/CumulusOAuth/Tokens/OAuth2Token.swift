// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An access token with the other fields of the server's response (RFC 6749 section 5.1), for a ``TokenStore``.
public struct OAuth2Token: Sendable, Hashable {
    /// The token that is sent to the service.
    public var access: Secret<String>
    /// The refresh token, with which a new access token is requested; `nil` if the server sent none.
    public var refresh: Secret<String>?
    /// The expiration date of the access token; `nil` if the server didn't send it.
    public var expires: Date?
    /// The token's scope; `nil` if it is the requested one.
    public var scope: String?
    /// The source of the token: the server, the client, and the request's fields.
    ///
    /// A token from a different source isn't used.
    public var source: String?

    /// Creates a token.
    public init(
        access: Secret<String>,
        refresh: Secret<String>? = nil,
        expires: Date? = nil,
        scope: String? = nil,
        source: String? = nil
    ) {
        self.access = access
        self.refresh = refresh
        self.expires = expires
        self.scope = scope
        self.source = source
    }
}

extension OAuth2Token: Redacted {
    /// The expiration, without secrets.
    public var description: String {
        "token\(expires.map { " until \($0)" } ?? "")\(refresh == nil ? "" : ", renewable")"
    }
}

extension OAuth2Token {
    /// Creates a token from the bytes of ``encoded()``; `nil` for any other bytes.
    public init?(decoding bytes: some Collection<UInt8>) {
        guard let json = try? JSON(parsing: bytes), json["version"].int == 1,
            let access = json["access_token"].string, OAuth2Token.isSendable(access)
        else { return nil }
        self.init(
            access: Secret(access),
            refresh: json["refresh_token"].string.map { Secret($0) },
            expires: json["expires_at"].int.map { Date(timeIntervalSince1970: Double($0)) },
            scope: json["scope"].string,
            source: json["source"].string
        )
    }

    /// Returns the token as JSON, including its secrets: for a store that no other user can read.
    public func encoded() -> [UInt8] {
        var members: [(String, JSON)] = [("version", 1), ("access_token", .string(access.revealed))]
        if let refresh { members.append(("refresh_token", .string(refresh.revealed))) }
        if let seconds = expires.flatMap({ Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }) {
            members.append(("expires_at", .number(JSON.Number(seconds))))
        }
        if let scope { members.append(("scope", .string(scope))) }
        if let source { members.append(("source", .string(source))) }
        return JSON.object(JSON.Object(members)).encoded()
    }

    /// Whether a header field can carry a token.
    static func isSendable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
