// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An access token and what came with it (RFC 6749 section 5.1), as a ``TokenStore`` keeps it.
public struct OAuth2Token: Sendable, Hashable {
    /// What is shown to the service.
    public var access: Secret<String>
    /// What a new access token is obtained with; `nil` if the server gave none.
    public var refresh: Secret<String>?
    /// When the access token ends, by the time of day; `nil` if the server didn't say.
    public var expires: Date?
    /// What it is good for; `nil` for what was asked.
    public var scope: String?
    /// For whom it was made: the server, the client, and what was asked.
    ///
    /// One that was made for others isn't used.
    public var source: String?

    /// Puts a token together.
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

extension OAuth2Token: CustomStringConvertible, CustomReflectable {
    /// When it ends, nothing of its secrets.
    public var description: String {
        "token\(expires.map { " until \($0)" } ?? "")\(refresh == nil ? "" : ", renewable")"
    }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}

extension OAuth2Token {
    /// What a store has of a token: the bytes that ``encoded()`` gave; `nil` for any others.
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

    /// The token as JSON, secrets and all: for a store that keeps it if nobody else can read it.
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
