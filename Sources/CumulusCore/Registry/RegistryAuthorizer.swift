// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Gets the tokens that container image registries require, one for each repository and action.
///
///     let tokens = Resource("https://auth.docker.io/token")
///     tokens.credentials = Credentials(user: "ada", password: password)
///     site.authorizers.append(RegistryAuthorizer(tokens: tokens))
///
/// A registry's challenge names the service that issues tokens (`WWW-Authenticate: Bearer realm=...`). If that service
/// is at the origin of `tokens`, it gets the settings of that resource, including credentials; any other is asked
/// anonymously. A service on this machine is asked only if the registry is there, too, or if `tokens` names it.
public final class RegistryAuthorizer: Authorizer {
    private struct Token {
        let text: Secret<String>
        let end: Date
        let question: Question
    }

    /// The scope of tokens: each registry has its own, even for repositories of the same name.
    private struct Place: Hashable, Sendable {
        let origin: Origin
        let repository: String

        init(_ request: EncodedRequest) {
            origin = request.origin
            repository = RegistryPath.repository(in: request.target)
        }
    }

    /// A token request's parameters.
    private struct Question: Hashable, Sendable {
        let place: Place
        let realm: String
        let service: String?
        let scope: String?
    }

    /// The limit of remembered repositories.
    private static let limit = 1_024

    private let tokens: Resource
    private let time: @Sendable () -> Date
    private let questions = WorkTable<Question, Void>()
    private let known = Mutex<[Place: Token]>([:])

    /// Makes an authorizer.
    ///
    /// - Parameters:
    ///   - tokens: The resource of the token service, with the credentials for it; not a resource below the registry's
    ///     own, which would keep both alive.
    ///   - time: The current time; for tests.
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

    /// Requests the token that the registry requires; at most once for many concurrent requests.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        guard let offer = challenge["Bearer"], let realm = offer.realm else { return .giveUp }
        let place = Place(challenge.request)
        try check(try RequestURL(realm).origin, of: place.origin)
        let question = Question(place: place, realm: realm, service: offer["service"], scope: offer["scope"])
        // It may have arrived while this request was in flight.
        if hasNews(for: question, since: challenge.request) { return .again }
        // A token that was just granted, and refused, can't be used.
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

    /// Refuses a service that can't be asked confidentially, or that a registry must not name.
    private func check(_ service: Origin, of registry: Origin) throws {
        if service.scheme == .https { return }
        let proxies = tokens.tree.context.transport.capabilities.ignoresProxies ? ProxyPolicy.none : tokens.proxy
        guard proxies.isConfidential(to: service) else {
            throw AuthorizationProblem("the registry's tokens come from \(service), which is not encrypted")
        }
        // A remote registry can't make us ask services on this machine.
        guard try registry.isLoopback || service == tokens.address().origin else {
            throw AuthorizationProblem("the registry \(registry) names a token service on this machine, \(service)")
        }
    }

    /// Whether there is a token that a request was sent without.
    private func hasNews(for question: Question, since request: EncodedRequest) -> Bool {
        guard let token = known.withLock({ $0[question.place] }), token.question == question else { return false }
        return token.end > time() && request.headers[.authorization] != "Bearer \(token.text.revealed)"
    }

    private func ask(_ question: Question) async throws -> RegistryToken {
        var query = Query()
        if let service = question.service { query.add(service, for: "service") }
        for scope in (question.scope ?? "").parts(at: " ", omitsEmpty: true) { query.add(String(scope), for: "scope") }
        // Followed as a link, so that settings for one origin stay there.
        return try await tokens.follow(question.realm).get(as: RegistryToken.self, query: query)
    }
}
