// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A place has a service's identity, and a value of it a user's: whose is sent, also after a refusal.
@Suite(.timeLimit(.minutes(10))) struct AuthorizerLayerTests {
    enum Kind: String, CaseIterable, Sendable {
        case basic, basicWhenAsked, digest, bearer, prompt, nobody

        func authorizer(of user: String) -> BoundAuthorizer {
            switch self {
            case .basic: .basic(user: user, password: Secret("pw-\(user)"))
            case .basicWhenAsked: .basic(user: user, password: Secret("pw-\(user)"), whenAsked: true)
            case .digest: .digest(user: user, password: Secret("pw-\(user)"))
            case .bearer: .bearer(Secret("token-\(user)"))
            case .prompt: .prompting { _ in Credentials(user: user, password: Secret("pw-\(user)")) }
            case .nobody: .prompting { _ in nil }
            }
        }
    }

    static let challenges = [
        #"Basic realm="r""#, #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#, "Bearer",
        #"Basic realm="r", Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#,
    ]

    /// Refuses everyone.
    private func refusing(_ challenge: String) -> StubTransport {
        StubTransport { _ in .response(.unauthorized, headers: ["WWW-Authenticate": challenge]) }
    }

    /// The users whose proofs were sent; `-` for none.
    private func users(_ transport: StubTransport) -> [String] {
        transport.requests.map { request in
            let field = request.headers[.authorization] ?? "-"
            guard field.hasPrefix("Basic "), let text = Data(base64Encoded: String(field.dropFirst(6))) else {
                return ["service", "eve"].first(where: field.contains) ?? field
            }
            return String(decoding: text.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        }
    }

    @Test("a user who is refused, or can't prove who they are, is never the service", arguments: Kind.allCases)
    func refused(_ kind: Kind) async throws {
        for (service, challenge) in Kind.allCases.flatMap({ kind in Self.challenges.map { (kind, $0) } }) {
            let transport = refusing(challenge)
            let site = Resource("https://a.example", transport: transport.watched) {
                $0.authorizers = [service.authorizer(of: "service")]
            }
            let mine = site.with { $0.authorizers = [kind.authorizer(of: "eve")] }
            for _ in 1...2 { _ = try await mine["me"].get() }
            let sent = users(transport)
            #expect(!sent.contains("service"), "\(service), \(challenge): \(sent)")
            // A question may be asked again, three times in each call; nothing else is tried twice.
            #expect(sent.count { $0 == "eve" } <= (kind == .prompt ? 8 : 2), "\(service), \(challenge): \(sent)")
        }
    }

    @Test("without an authorizer of its own, a value has the place's", arguments: Kind.allCases)
    func inherited(_ kind: Kind) async throws {
        let transport = refusing(Self.challenges[0])
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.authorizers = [kind.authorizer(of: "service")]
        }
        _ = try await site.with { $0.timeout = .seconds(5) }["me"].get()
        let proves = kind != .digest && kind != .nobody
        #expect(users(transport).contains("service") == proves)
    }

    @Test("of one layer's authorizers, another one answers when the first is refused")
    func alternatives() async throws {
        let transport = StubTransport { request in
            request.headers[.authorization]?.hasPrefix("Digest") == true
                ? .text("ok") : .response(.unauthorized, headers: ["WWW-Authenticate": Self.challenges[1]])
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.authorizers = [.bearer("old"), .digest(user: "ada", password: "p")]
        }
        #expect(try await site.get().text == "ok")
        #expect(transport.requests.count == 2)
    }

    @Test("what only adds a field of its own works together with any layer's proof, and may answer")
    func helpers() async throws {
        struct Token: Authorizer {
            static let field = HTTPField.Name("X-Token") ?? .eTag
            let isKnown = Gate()
            var challengeStatuses: StatusSet { [.forbidden] }
            func authorize(_ request: inout EncodedRequest) async throws {
                if isKnown.isOpen { request.headers[Token.field] = "t" }
            }
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
                isKnown.open()
                return .again
            }
        }
        let transport = StubTransport { request in
            request.headers[Token.field] == "t"
                ? .text(request.headers[.authorization] ?? "") : .response(.forbidden)
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.authorizers.append(Token()) }
        let mine = site.with { $0.authorizers = [.bearer("mine")] }
        #expect(try await mine.get().text == "Bearer mine")
        #expect(try await mine.get().text == "Bearer mine")
        #expect(transport.requests.count == 3)
    }

    @Test("newer credentials take the place of older ones, wherever those were set")
    func renewed() {
        var site = Resource("https://a.example", transport: StubTransport { _ in .response(.ok) }.watched) {
            $0.credentials = Credentials(user: "first", password: "p")
        }
        for number in 1...20 { site = site.with { $0.credentials = Credentials(user: "\(number)", password: "p") } }
        #expect(site.credentials?.user == "20" && site.authorizers.count == 1)
    }

    @Test("an authorizer doesn't find its own state in a request that is sent without its credentials")
    func statesOfUnsentCredentials() async throws {
        final class Stateful: Authorizer {
            let stateCounts = Mutex<[Int]>([])
            func authorize(_ request: inout EncodedRequest) async throws {
                request.headers[.authorization] = "Own service"
                request.authorizerStates.append("own")
            }
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition { .giveUp }
            func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
                stateCounts.withLock { $0.append(request.authorizerStates.count) }
                return nil
            }
        }
        let (service, transport) = (Stateful(), StubTransport { _ in .text("ok") })
        let site = Resource("https://a.example", transport: transport.watched) { $0.authorizers.append(service) }
        try await site.get().requireSuccess()
        // The user's authorizer waits for a challenge.
        try await site.with { $0.authorizers = [.digest(user: "eve", password: "p")] }.get().requireSuccess()
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Own service", nil])
        #expect(service.stateCounts.withLock(\.self) == [1, 0])
    }
}
