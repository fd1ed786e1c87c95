// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// How a program obtains its first token.
///
/// Later tokens are obtained with a refresh token, if the server issues one.
public struct OAuth2Grant: Sendable {
    enum Kind: Sendable {
        case clientCredentials
        case password(user: String, Secret<String>)
        case code(any RedirectReceiver, present: @Sendable (String) async throws -> Void)
        case device(present: @Sendable (DevicePrompt) async throws -> Void)
        case exchange(TokenExchange)
        case refresh(Secret<String>)
        case stored
    }

    let kind: Kind
    let client: OAuth2Client

    private init(_ kind: Kind, _ client: OAuth2Client) {
        self.kind = kind
        self.client = client
    }

    /// Creates a grant for the program itself, with its identifier and secret (RFC 6749 section 4.4).
    public static func clientCredentials(id: String, secret: Secret<String>) -> OAuth2Grant {
        .clientCredentials(OAuth2Client(id: id, secret: secret))
    }

    /// Creates a grant for the program itself (RFC 6749 section 4.4).
    public static func clientCredentials(_ client: OAuth2Client) -> OAuth2Grant {
        OAuth2Grant(.clientCredentials, client)
    }

    /// Creates a grant for a user with a name and password (RFC 6749 section 4.3), for old servers.
    ///
    /// A refused password is not sent again.
    public static func password(user: String, _ password: Secret<String>, client: OAuth2Client) -> OAuth2Grant {
        OAuth2Grant(.password(user: user, password), client)
    }

    /// Creates a grant for a person who signs in with a browser on this machine (RFC 6749 section 4.1, RFC 8252),
    /// always with PKCE.
    ///
    /// - Parameters:
    ///   - client: The program; usually a public client.
    ///   - receiver: Receives the browser's redirect: `LoopbackReceiver()` from CumulusNIO in command-line programs.
    ///   - present: Opens or shows the URL at which the person signs in.
    /// - Returns: The grant.
    public static func authorizationCode(
        client: OAuth2Client,
        receiver: some RedirectReceiver,
        present: @escaping @Sendable (_ url: String) async throws -> Void
    ) -> OAuth2Grant { OAuth2Grant(.code(receiver, present: present), client) }

    /// Creates a grant for a person who signs in with a browser on any device and enters a short code there (RFC 8628).
    ///
    /// - Parameters:
    ///   - client: The program.
    ///   - present: Shows the code and the address at which to enter it.
    /// - Returns: The grant.
    public static func deviceCode(
        client: OAuth2Client,
        present: @escaping @Sendable (DevicePrompt) async throws -> Void
    ) -> OAuth2Grant { OAuth2Grant(.device(present: present), client) }

    /// Creates a grant that exchanges a different token for an access token (RFC 8693).
    public static func exchange(_ exchange: TokenExchange, client: OAuth2Client) -> OAuth2Grant {
        OAuth2Grant(.exchange(exchange), client)
    }

    /// Creates a grant with a refresh token that you already have (RFC 6749 section 6).
    ///
    /// Once the store contains a refresh token, the stored token is used instead.
    public static func refreshToken(_ token: Secret<String>, client: OAuth2Client) -> OAuth2Grant {
        OAuth2Grant(.refresh(token), client)
    }

    /// Creates a grant with the token that another program has stored after its login.
    public static func stored(client: OAuth2Client) -> OAuth2Grant { OAuth2Grant(.stored, client) }

    /// Whether it can be repeated without a person.
    var isSilent: Bool {
        switch kind {
        case .clientCredentials, .password, .exchange: true
        case .code, .device, .refresh, .stored: false
        }
    }

    /// Whether all of its tokens are the same user's or client's.
    var hasFixedUser: Bool {
        switch kind {
        case .clientCredentials, .password: true
        case .code, .device, .exchange, .refresh, .stored: false
        }
    }

    /// Whether code of the program takes part in it.
    var runsForeignCode: Bool {
        switch kind {
        case .code, .device, .exchange: true
        case .clientCredentials, .password, .refresh, .stored: false
        }
    }

    /// Whether a person must act; no other caller should wait for the store in the meantime.
    var needsPerson: Bool {
        switch kind {
        case .code, .device: true
        case .clientCredentials, .password, .exchange, .refresh, .stored: false
        }
    }
}
