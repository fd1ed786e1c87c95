// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import CumulusOAuth

func clientCredentials(site: Resource, secret: Secret<String>) {
    // snippet.client-credentials
    site.setRules {
        $0.authorizers.append(
            .oauth2(.clientCredentials(id: "atlas", secret: secret), tokens: "https://id.example.com/token")
        )
    }
    // snippet.end
}

func discovery(site: Resource, secret: Secret<String>) {
    // snippet.issuer
    site.setRules {
        $0.authorizers.append(
            .oauth2(
                .clientCredentials(id: "atlas", secret: secret),
                server: .issuer("https://id.example.com"),  // publishes its endpoints
                options: OAuth2Options(scope: "posts:read posts:write")
            )
        )
    }
    // snippet.end

    // snippet.announced
    site.setRules {
        $0.authorizers.append(
            .oauth2(
                .clientCredentials(id: "atlas", secret: secret),
                server: .announced(oneOf: ["https://id.example.com"])
            )
        )
    }
    // snippet.end
}

func wrong(site: Resource, secret: Secret<String>) async throws {
    // snippet.addresses
    let account = OAuth2Authorizer(
        .clientCredentials(id: "atlas", secret: secret),
        server: .endpoints(
            tokens: "https://id.example.com/token",
            revocation: "https://id.example.com/revoke"  // for logging out
        )
    )
    site.setRules { $0.authorizers.append(account) }
    // snippet.end

    // snippet.refused
    do {
        _ = try await site["posts"].get(as: [JSON].self)
    } catch let error as CumulusError {
        // authorization GET https://api.example.com/posts: the authorization server refused: invalid_client
        guard let refusal = error.cause as? OAuth2Error else { throw error }
        print(refusal.code, refusal.error ?? "", refusal.errorDescription ?? "")
    }
    // snippet.end
}

func device(site: Resource) async throws {
    // snippet.device
    let account = OAuth2Authorizer(
        .deviceCode(client: "atlas-cli") { prompt in
            print("Open \(prompt.url) and type \(prompt.code)")
        },
        server: .issuer("https://id.example.com"),
        store: FileTokenStore("/home/ada/.local/state/atlas/token.json")
    )
    site.setRules { $0.authorizers.append(account) }
    let posts = try await site["posts"].get(as: [JSON].self)  // signs in the first time
    // snippet.end
    print(posts)

    // snippet.log-out
    try await account.logOut(for: site)  // revoked at the server, deleted here
    // snippet.end
}

func code(site: Resource) {
    // snippet.code
    let grant = OAuth2Grant.authorizationCode(client: "atlas-cli", receiver: LoopbackReceiver()) { url in
        print("Open \(url)")
    }
    site.setRules { $0.authorizers.append(.oauth2(grant, server: .issuer("https://id.example.com"))) }
    // snippet.end
}

func exchange(site: Resource, other: Resource, user: OAuth2Authorizer) -> Resource {
    // snippet.exchange
    let exchange = TokenExchange(subject: { try await user.token(for: site) }, audience: "archive")
    let mine = other.with {
        $0.authorizers.append(
            .oauth2(.exchange(exchange, client: "atlas"), server: .issuer("https://id.example.com"))
        )
    }
    // snippet.end
    return mine
}

func events(site: Resource, refresh: Secret<String>) {
    // snippet.events
    let account = OAuth2Authorizer(
        .refreshToken(refresh, client: "atlas-app"),
        server: .issuer("https://id.example.com")
    ) { event in
        if case .ended(let why) = event { print("sign in again: \(why)") }
    }
    site.setRules { $0.authorizers.append(account) }
    // snippet.end
}

struct Session: Decodable, Sendable {
    var token: String
    var seconds: Int
}

func signedIn(_ site: Resource, as key: Secret<String>) -> Resource {
    site.with {
        $0.authorizers.append(
            .bearer(refreshing: { _ in
                let session = try await site["session"].post(["key": key.revealed], as: Session.self)
                return BearerToken(session.token, lifetime: .seconds(session.seconds))
            })
        )
    }
}

// snippet.store
struct KeychainStore: TokenStore {
    func token() async throws -> OAuth2Token? {
        try await Keychain.read("atlas").flatMap { OAuth2Token(decoding: $0) }
    }

    func keep(_ token: OAuth2Token?) async throws {
        try await Keychain.write(token?.encoded(), as: "atlas")
    }
}
// snippet.end

enum Keychain {
    static func read(_ name: String) async throws -> [UInt8]? { nil }
    static func write(_ bytes: [UInt8]?, as name: String) async throws {}
}

// snippet.users
struct TokenPair: Decodable, Sendable {
    var access: String
    var refresh: String
    var seconds: Int
}

/// A copy for a user's requests, made again by each handler: all copies of a user share one session.
func api(_ site: Resource, for user: String, code: Secret<String>, store: any TokenStore) -> Resource {
    site.with {
        $0.authorizers.append(
            .bearer(for: user, store: store) { latest in
                let secret = latest?.refresh ?? code
                let pair = try await site["tokens"].post(["user": user, "code": secret.revealed], as: TokenPair.self)
                return BearerToken(pair.access, refresh: pair.refresh, lifetime: .seconds(pair.seconds))
            }
        )
    }
}
// snippet.end

// snippet.one-user
/// A copy for the only user of an app, whose refresh token stays in a file.
func api(_ site: Resource, code: Secret<String>, tokenFile: String) -> Resource {
    site.with {
        $0.authorizers.append(
            .bearer(store: FileTokenStore(tokenFile)) { latest in
                let secret = latest?.refresh ?? code
                let pair = try await site["tokens"].post(["code": secret.revealed], as: TokenPair.self)
                return BearerToken(pair.access, refresh: pair.refresh, lifetime: .seconds(pair.seconds))
            }
        )
    }
}
// snippet.end
