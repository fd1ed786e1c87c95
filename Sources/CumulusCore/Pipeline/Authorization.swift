// SPDX-License-Identifier: Apache-2.0

/// Stage 3c, request -> authorized request: lets each authorizer of the request's origin add its proof.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]
    /// Whether any looks at what comes back.
    let answersChallenges: Bool
    /// Those of the authorizers that mostly have their proof at hand, in the places that they have there.
    private let ready: [(any ReadyAuthorizer)?]

    init(_ settings: SettingValues) {
        authorizers = Array(settings.value(AuthorizersKey.self))
        answersChallenges = authorizers.contains { $0.authorizer.answersChallenges }
        ready = authorizers.map { $0.authorizer as? any ReadyAuthorizer }
    }

    /// Adds proof where the request may have some behind what its call has been through.
    func authorize(
        _ request: EncodedRequest,
        after trail: Trail,
        _ call: Call,
        on clock: any RequestClock
    ) async throws -> EncodedRequest {
        var authorized = request
        for (bound, ready) in zip(authorizers, ready) where bound.serves(request, after: trail) {
            if let ready {
                if ready.authorizeAtOnce(&authorized) { continue }
                authorized = try await call.waiting(on: clock) { [authorized] in
                    var proven = authorized
                    try await ready.authorize(&proven)
                    return proven
                }
            } else {
                try await bound.authorizer.authorize(&authorized)
            }
            guard authorized.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: authorized.origin)
            }
            if let malformation = authorized.headers.malformation { throw malformation }
        }
        return authorized
    }

    /// Shows an answer's head to those that want to see it.
    ///
    /// - Throws: What they throw.
    func examine(_ head: ResponseHead, of request: EncodedRequest, after trail: Trail) throws {
        for bound in authorizers where bound.authorizer.answersChallenges && bound.serves(request, after: trail) {
            try bound.authorizer.examine(head, of: request)
        }
    }
}
