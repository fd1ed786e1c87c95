// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// Gets the tokens that registries of container images require: one for each repository.
///
/// A registry's challenge names a service that issues tokens, and what to ask it for. It is believed only as far as you
/// allow: the service is your own one, or at the registry's origin, which is then asked without your password; the scope
/// is the repository of the request; and a token of your service is asked only for the registry that you name, since a
/// registry could otherwise get one for another.
final class RegistryAuthorizer: Authorizer {
    private struct Token {
        let field: String
        let end: ContinuousClock.Instant
    }

    private struct Place: Hashable {
        let registry: Origin
        let repository: String
    }

    private struct State {
        var known: [Place: Token] = [:]
        var running: [Place: Task<Token, any Error>] = [:]
    }

    private let tokens: Resource
    private let service: String
    private let actions: Set<Substring>
    private let state = Mutex(State())

    /// Creates an authorizer for the registry that `tokens` issues tokens for under the name of `service`.
    init(tokens: Resource, service: String, actions: Set<Substring> = ["pull"]) {
        self.tokens = tokens
        self.service = service
        self.actions = actions
    }

    /// Adds the token for the request's repository, if there is one.
    func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil, let clock = request.resource?.clock else { return }
        let token = state.withLock { $0.known[RegistryAuthorizer.place(of: request)] }
        if let token, clock.now < token.end { request.headers[.authorization] = token.field }
    }

    /// Asks for the token that the registry requires, once for all requests that are refused meanwhile.
    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        guard let offer = challenge["Bearer"], let clock = challenge.request.resource?.clock else { return .giveUp }
        guard challenge.attempt == 1 else { return .stop(because: "the registry refused a new token as well") }
        let place = RegistryAuthorizer.place(of: challenge.request)
        guard let url = offer.realm.flatMap({ try? RequestURL($0) }) else {
            return .stop(because: "the registry doesn't say where its tokens come from")
        }
        if let reason = refusal(of: offer, url.origin, for: place) { return .stop(because: reason) }
        let scopes = (offer["scope"] ?? "").split(separator: " ")
        let refused = challenge.request.headers[.authorization]
        let task = state.withLock { state -> Task<Token, any Error>? in
            // Another request has got one since this one was sent.
            if let token = state.known[place], token.field != refused, clock.now < token.end { return nil }
            let task =
                state.running[place]
                ?? Task { [self] in
                    try await RequestScope.outside { try await ask(url, offer["service"], scopes, clock) }
                }
            state.running[place] = task
            return task
        }
        guard let task else { return .again }
        let result = await task.result
        try state.withLock { state in
            if state.running[place] == task { state.running[place] = nil }
            if state.known.count >= 1_000 { state.known = [:] }
            state.known[place] = try result.get()
        }
        return .again
    }

    /// Why a challenge isn't answered; `nil` if it is.
    private func refusal(of offer: AuthenticationChallenge, _ asked: Origin, for place: Place) -> String? {
        let own = tokens.urlString.flatMap { try? RequestURL($0).origin }
        guard asked == own || asked == place.registry else {
            return "the registry names \(asked), which is neither its own origin nor your token service"
        }
        guard tokens.proxy.isConfidential(to: asked) else { return "\(asked) would send tokens without encryption" }
        if asked == own, asked != place.registry, offer["service"] != service {
            return "the registry asks for a token of another service than \(service)"
        }
        for scope in (offer["scope"] ?? "").split(separator: " ") {
            let parts = scope.split(separator: ":", omittingEmptySubsequences: false)
            let isAllowed =
                parts.count == 3 && parts[0] == "repository" && parts[1] == place.repository
                && actions.isSuperset(of: parts[2].split(separator: ","))
            if !isAllowed { return "the registry asks for more than \(actions.sorted()) of \(place.repository)" }
        }
        return nil
    }

    private func ask(
        _ url: RequestURL,
        _ service: String?,
        _ scopes: [Substring],
        _ clock: any RequestClock
    ) async throws -> Token {
        var query = Query()
        if let service { query.add(service, for: "service") }
        for scope in scopes { query.add(String(scope), for: "scope") }
        // Followed as a link, so that the password stays at its origin.
        let answer = try await tokens.follow(url).get(as: JSON.self, query: query)
        guard let token = answer["token"].string ?? answer["access_token"].string, !token.isEmpty else {
            throw AuthorizationProblem("\(url.origin) answered without a token")
        }
        // A minute if nothing is said; slightly less, to allow for transit.
        let lifetime = min(max((answer["expires_in"].number?.double ?? 60) - 5, 1), 86_400)
        return Token(field: "Bearer \(token)", end: clock.now + .seconds(lifetime))
    }

    /// The repository in a target, `/v2/NAME/manifests/latest`; empty if it is about the whole registry.
    private static func place(of request: EncodedRequest) -> Place {
        let parts = request.target.prefix { $0 != "?" }.split(separator: "/")
        let end = parts.lastIndex { ["manifests", "blobs", "tags", "referrers"].contains($0) }
        guard parts.first == "v2", let end else { return Place(registry: request.origin, repository: "") }
        return Place(registry: request.origin, repository: parts[1..<end].joined(separator: "/"))
    }
}
