// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusOAuth
import HTTPTypes
import Synchronization
import Testing

/// All grants that authlib supports, its rotation of refresh tokens, and its revocation.
@Suite(.enabled(if: InteropServers.oauth != nil, "\(InteropServers.reason)"), .serialized)
struct OAuth2Tests {
    private static let transports: [InteropTransport] = [.nio, .urlSession]

    private let url = InteropServers.oauth ?? ""

    private func site(_ transport: InteropTransport) throws -> Resource { try transport.resource(url) }

    /// Revokes all access tokens.
    private func expire(_ transport: InteropTransport) async throws {
        try await site(transport)["expire"].post().requireSuccess()
    }

    @Test(arguments: transports)
    func clientCredentials(transport: InteropTransport) async throws {
        let site = try site(transport)
        site.setRules {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), server: .issuer(url))
            )
        }
        #expect(try await site["who"].get(as: String.self) == "nobody by atlas")
        try await expire(transport)
        #expect(try await site["who"].get(as: String.self) == "nobody by atlas")
    }

    @Test(arguments: transports)
    func aWrongSecretIsRefusedInTheServersWords(transport: InteropTransport) async throws {
        let site = try site(transport)
        site.setRules {
            $0.authorizers.append(.oauth2(.clientCredentials(id: "atlas", secret: "wrong"), server: .issuer(url)))
        }
        do {
            _ = try await site["who"].get()
            Issue.record("it was let in")
        } catch let error as CumulusError {
            #expect((error.cause as? OAuth2Error)?.error == "invalid_client")
        }
    }

    @Test(arguments: transports)
    func refreshTokensAreRotatedOnceForManyRequests(transport: InteropTransport) async throws {
        let (site, store) = (try site(transport), MemoryTokenStore())
        site.setRules {
            $0.authorizers.append(
                .oauth2(.password(user: "ada", "lovelace", client: "cli"), server: .issuer(url), store: store)
            )
        }
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
        let first = store.token()?.refresh
        try await expire(transport)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await site["who"].get(as: String.self) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 50 && Set(answers) == ["ada by cli"])
        #expect(store.token()?.refresh != first)
        // authlib revokes everything if a refresh token is used twice: the session still works, so none was.
        try await expire(transport)
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
    }

    @Test(arguments: transports)
    func aRefreshTokenThatWasUsedIsRefused(transport: InteropTransport) async throws {
        let (site, store) = (try site(transport), MemoryTokenStore())
        let password = OAuth2Grant.password(user: "ada", "lovelace", client: "cli")
        site.setRules { $0.authorizers.append(.oauth2(password, server: .issuer(url), store: store)) }
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
        let used = try #require(store.token()?.refresh)
        try await expire(transport)
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
        let thief = try self.site(transport)
        thief.setRules { $0.authorizers.append(.oauth2(.refreshToken(used, client: "cli"), server: .issuer(url))) }
        do {
            _ = try await thief["who"].get()
            Issue.record("it was let in")
        } catch let error as CumulusError {
            let cause = error.cause as? OAuth2Error
            #expect(cause?.code == .ended && cause?.error == "invalid_grant")
        }
    }

    @Test func authorizationCodeWithAProofKeyAndALoopbackReceiver() async throws {
        let site = try site(.nio)
        let browser = Task {
            // Follows the redirect to the receiver, as a browser does.
            for await url in Self.opened.stream { _ = try await Resource(url, transport: NIOTransport.shared).get() }
        }
        let grant = OAuth2Grant.authorizationCode(client: "cli", receiver: LoopbackReceiver()) { url in
            Self.opened.continuation.yield(url)
        }
        site.setRules {
            $0.authorizers.append(.oauth2(grant, server: .issuer(url), options: OAuth2Options(scope: "read write")))
        }
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
        try await expire(.nio)
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
        Self.opened.continuation.finish()
        try await browser.value
    }

    private static let opened = AsyncStream.makeStream(of: String.self)

    @Test(arguments: transports)
    func deviceCode(transport: InteropTransport) async throws {
        let site = try site(transport)
        let person = site["decide"].with { $0.authorizers = .replacing([]) }
        let grant = OAuth2Grant.deviceCode(client: "cli") { prompt in
            try await person.get(query: ["user_code": prompt.code, "allow": "yes"]).requireSuccess()
        }
        site.setRules { $0.authorizers.append(.oauth2(grant, server: .issuer(url))) }
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
    }

    @Test func aPersonWhoSaysNoIsHeard() async throws {
        let site = try site(.nio)
        let person = site["decide"].with { $0.authorizers = .replacing([]) }
        let grant = OAuth2Grant.deviceCode(client: "cli") { prompt in
            try await person.get(query: ["user_code": prompt.code, "allow": "no"]).requireSuccess()
        }
        site.setRules { $0.authorizers.append(.oauth2(grant, server: .issuer(url))) }
        do {
            _ = try await site["who"].get()
            Issue.record("it was let in")
        } catch let error as CumulusError {
            #expect((error.cause as? OAuth2Error)?.code == .denied)
        }
    }

    @Test("RFC 8693: a token in exchange for a user's, for a service and with an actor", arguments: transports)
    func tokenExchange(transport: InteropTransport) async throws {
        let person = try site(transport)
        let signedIn = OAuth2Authorizer(.password(user: "ada", "lovelace", client: "cli"), server: .issuer(url))
        person.setRules { $0.authorizers.append(signedIn) }
        #expect(try await person["who"].get(as: String.self) == "ada by cli")
        let atlas = OAuth2Client(id: "atlas", secret: "s3cret")
        let machine = OAuth2Authorizer(.clientCredentials(atlas), server: .issuer(url))
        let exchanges = [
            (TokenExchange(subject: { try await signedIn.token(for: person) }), "ada by atlas"),
            (
                TokenExchange(
                    subject: { try await signedIn.token(for: person) },
                    actor: try await machine.token(for: person),
                    audience: "ledger"
                ), "ada by atlas at ledger through atlas"
            ),
        ]
        for (exchange, expected) in exchanges {
            let site = try site(transport)
            site.setRules { $0.authorizers.append(.oauth2(.exchange(exchange, client: atlas), server: .issuer(url))) }
            #expect(try await site["who"].get(as: String.self) == expected)
        }
        // An expired token is exchanged again, with a subject's token that has become valid.
        let site = try site(transport)
        site.setRules {
            $0.authorizers.append(.oauth2(.exchange(exchanges[0].0, client: atlas), server: .issuer(url)))
        }
        #expect(try await site["who"].get(as: String.self) == "ada by atlas")
        try await expire(transport)
        #expect(try await person["who"].get(as: String.self) == "ada by cli")
        #expect(try await site["who"].get(as: String.self) == "ada by atlas")
    }

    @Test(arguments: transports)
    func anExchangeOfWhatIsNoTokenIsRefused(transport: InteropTransport) async throws {
        let site = try site(transport)
        let atlas = OAuth2Client(id: "atlas", secret: "s3cret")
        site.setRules {
            $0.authorizers.append(
                .oauth2(.exchange(TokenExchange(subject: "made-up"), client: atlas), server: .issuer(url))
            )
        }
        do {
            _ = try await site["who"].get()
            Issue.record("it was let in")
        } catch let error as CumulusError {
            let cause = error.cause as? OAuth2Error
            #expect(cause?.error == "invalid_request")
            #expect(cause?.errorDescription == "the subject_token is not good")
        }
    }

    @Test(arguments: transports)
    func revocation(transport: InteropTransport) async throws {
        let (site, store) = (try site(transport), MemoryTokenStore())
        let authorizer = OAuth2Authorizer(
            .password(user: "ada", "lovelace", client: "cli"),
            server: .issuer(url),
            store: store
        )
        site.setRules { $0.authorizers.append(authorizer) }
        #expect(try await site["who"].get(as: String.self) == "ada by cli")
        let token = try #require(store.token())
        try await authorizer.logOut(for: site)
        let anonymous = try self.site(transport)
        anonymous.setRules { $0.authorizers.append(.bearer(token.access)) }
        #expect(try await anonymous["who"].get().status.code == 401)
    }
}
