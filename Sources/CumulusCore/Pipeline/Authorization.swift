// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3c, request -> authorized request: lets each authorizer of the request's origin add its proof.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]
    /// Whether any looks at what comes back.
    let answersChallenges: Bool
    /// Those that look at every head.
    private let examiners: [BoundAuthorizer]
    /// Those of the authorizers that mostly have their proof at hand, in the places that they have there.
    private let ready: [(any ReadyAuthorizer)?]
    /// Whether all of them do.
    private let areReady: Bool

    init(_ settings: SettingValues) {
        authorizers = Array(settings.value(AuthorizersKey.self))
        answersChallenges = authorizers.contains { $0.authorizer.answersChallenges }
        examiners = authorizers.filter {
            $0.authorizer.answersChallenges && !($0.authorizer is any ReadyAuthorizer)
        }
        ready = authorizers.map { $0.authorizer as? any ReadyAuthorizer }
        areReady = !ready.contains { $0 == nil }
    }

    /// Whether anybody looks at every head.
    var examines: Bool { !examiners.isEmpty }

    /// A request's header fields with the proof, if nothing more is to be added, and that is at hand; else `nil`.
    func fieldsAtOnce(_ request: EncodedRequest, after trail: Trail) -> HTTPFields? {
        guard areReady else { return nil }
        var fields = request.headers
        for index in ready.indices where authorizers[index].serves(request, after: trail) {
            guard let ready = ready[index], ready.addProof(to: &fields) else { return nil }
        }
        return fields
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
            if let ready, ready.addProof(to: &authorized.headers) { continue }
            if let ready, ready.mayWait {
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
        for bound in examiners where bound.serves(request, after: trail) {
            try bound.authorizer.examine(head, of: request)
        }
    }
}
