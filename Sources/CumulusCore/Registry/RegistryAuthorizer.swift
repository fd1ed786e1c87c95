// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Gets the tokens that container image registries want, one for each repository and what is done there.
///
///     let tokens = Resource("https://auth.docker.io/token")
///     tokens.credentials = Credentials(user: "ada", password: password)
///     site.authorizers.append(RegistryAuthorizer(tokens: tokens))
///
/// A registry's refusal names the service that issues tokens (`WWW-Authenticate: Bearer realm=...`). If that service is
/// at the origin of `tokens`, it gets what is set there, credentials included; any other is asked anonymously. One on
/// this machine is asked only if the registry is there, too, or `tokens` names it.
public final class RegistryAuthorizer: Authorizer {
    private struct Token {
        let text: Secret<String>
        let end: Date
        let question: Question
    }

    /// Whose tokens they are: another registry's are its own, even of a repository of the same name.
    private struct Place: Hashable, Sendable {
        let origin: Origin
        let repository: String

        init(_ request: EncodedRequest) {
            origin = request.origin
            repository = RegistryPath.repository(in: request.target)
        }
    }

    /// What a token is asked for with.
    private struct Question: Hashable, Sendable {
        let place: Place
        let realm: String
        let service: String?
        let scope: String?
    }

    /// More repositories than this are not remembered.
    private static let limit = 1_024

    private let tokens: Resource
    private let time: @Sendable () -> Date
    private let questions = WorkTable<Question, Void>()
    private let known = Mutex<[Place: Token]>([:])

    /// Makes an authorizer.
    ///
    /// - Parameters:
    ///   - tokens: Where tokens are given out, with the credentials for that place; not a place below the registry's own
    ///     resource, which would keep both alive.
    ///   - time: The time of day; a test's own.
    public init(tokens: Resource, time: @escaping @Sendable () -> Date = { Date() }) {
        self.tokens = tokens
        self.time = time
    }

    /// Adds the token for the request's repository, if there is one.
    public func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil else { return }
        let place = Place(request)
        let token = known.withLock { $0[place] }
        if let token, token.end > time() { request.headers[.authorization] = "Bearer \(token.text.revealed)" }
    }

    /// Asks for the token that the registry wants; at most once for many requests at the same time.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        guard let offer = challenge["Bearer"], let realm = offer.realm else { return .giveUp }
        let place = Place(challenge.request)
        try check(try RequestURL(realm).origin, of: place.origin)
        let question = Question(place: place, realm: realm, service: offer["service"], scope: offer["scope"])
        // It may have come while this request was on its way.
        if hasNews(for: question, since: challenge.request) { return .again }
        // What was granted a moment ago and didn't do can't be used now.
        let isKnown = known.withLock { $0[place]?.question == question }
        if isKnown, challenge.attempt > 1 { return .giveUp }
        try await questions.value(for: question) { [self] in
            if hasNews(for: question, since: challenge.request) { return }
            let answer = try await ask(question)
            let token = Token(text: answer.text, end: time().addingTimeInterval(answer.lifetime), question: question)
            known.withLock { known in
                if known.count >= Self.limit { known = [:] }
                known[place] = token
            }
        }
        return .again
    }

    /// Refuses a service that tokens can't be asked of in confidence, or that is not a registry's to name.
    private func check(_ service: Origin, of registry: Origin) throws {
        if service.scheme == .https { return }
        let proxies = tokens.tree.context.transport.capabilities.ignoresProxies ? ProxyPolicy.none : tokens.proxy
        guard proxies.isConfidential(to: service) else {
            throw AuthorizationProblem("the registry's tokens come from \(service), which is not encrypted")
        }
        // Nobody elsewhere has this machine's own services asked.
        guard try registry.isLoopback || service == tokens.address().origin else {
            throw AuthorizationProblem("the registry \(registry) names a token service on this machine, \(service)")
        }
    }

    /// Whether there is a token that a request went without.
    private func hasNews(for question: Question, since request: EncodedRequest) -> Bool {
        guard let token = known.withLock({ $0[question.place] }), token.question == question else { return false }
        return token.end > time() && request.headers[.authorization] != "Bearer \(token.text.revealed)"
    }

    private func ask(_ question: Question) async throws -> RegistryToken {
        var query = Query()
        if let service = question.service { query.add(service, for: "service") }
        for scope in (question.scope ?? "").parts(at: " ", omitsEmpty: true) { query.add(String(scope), for: "scope") }
        // Followed, so that what is set for one origin stays there.
        return try await tokens.follow(question.realm).get(as: RegistryToken.self, query: query)
    }
}
