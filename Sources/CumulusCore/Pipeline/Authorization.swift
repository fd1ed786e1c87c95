// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3c, request -> authorized request: each authorizer of the request's origin adds its proof.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]
    /// Whether any authorizer answers challenges.
    let answersChallenges: Bool
    /// The authorizers that examine every head.
    private let examiners: [BoundAuthorizer]
    /// Those of them that also examine bodies, at the same indices.
    private let bodyExaminers: [(any BodyExaminer)?]
    /// The authorizers that mostly have their proof ready, at the same indices.
    private let ready: [(any ReadyAuthorizer)?]
    /// Whether all authorizers are of this kind.
    private let areReady: Bool

    init(_ settings: SettingValues) {
        authorizers = Array(settings.value(AuthorizersKey.self))
        answersChallenges = authorizers.contains { $0.authorizer.answersChallenges }
        examiners = authorizers.filter {
            $0.authorizer.answersChallenges && !($0.authorizer is any ReadyAuthorizer)
        }
        bodyExaminers = examiners.map { $0.authorizer as? any BodyExaminer }
        ready = authorizers.map { $0.authorizer as? any ReadyAuthorizer }
        areReady = !ready.contains { $0 == nil }
    }

    /// Whether any authorizer examines every head.
    var examines: Bool { !examiners.isEmpty }

    /// The request's header fields with the proof, if it is ready and goes only into fields; otherwise `nil`.
    func fieldsAtOnce(
        _ request: EncodedRequest,
        after history: CallHistory
    ) -> (fields: HTTPFields, makers: ProofMakers)? {
        guard areReady else { return nil }
        var (fields, makers) = (request.headers, ProofMakers())
        let seeksAuthor = answersChallenges && request.headers[.authorization] == nil
        for index in ready.indices where isAsked(index, request, after: history) {
            guard let ready = ready[index], ready.addProof(to: &fields) else { return nil }
            if seeksAuthor, makers.author == nil, fields.contains(.authorization) { makers.author = index }
        }
        return (fields, makers)
    }

    /// Adds the proofs that the request may have after the call's history.
    func authorize(
        _ request: EncodedRequest,
        after history: CallHistory,
        _ call: CallContext,
        on clock: any RequestClock
    ) async throws -> (request: EncodedRequest, makers: ProofMakers) {
        var (authorized, makers) = (request, ProofMakers())
        for index in authorizers.indices where isAsked(index, request, after: history) {
            let given = authorized
            try await addProof(of: index, to: &authorized, call, on: clock)
            guard authorized.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: authorized.origin)
            }
            if let malformation = authorized.headers.malformation { throw malformation }
            // The proof of the nearest authorizer that made one: those of its parents don't replace it.
            let isOwn = makers.note(authorizers[index], at: index, given: given, made: authorized)
            if !isOwn { authorized.headers[.authorization] = given.headers[.authorization] }
        }
        return (authorized, makers)
    }

    /// Whether an authorizer may add its proof to a request.
    private func isAsked(_ index: Int, _ request: EncodedRequest, after history: CallHistory) -> Bool {
        authorizers[index].serves(request, after: history) && !history.refusedAuthors.contains(index)
    }

    private func addProof(
        of index: Int,
        to request: inout EncodedRequest,
        _ call: CallContext,
        on clock: any RequestClock
    ) async throws {
        guard let ready = ready[index] else { return try await authorizers[index].authorizer.authorize(&request) }
        if ready.addProof(to: &request.headers) { return }
        guard ready.mayWait else { return try await ready.authorize(&request) }
        request = try await call.waiting(on: clock) { [request] in
            var proven = request
            try await ready.authorize(&proven)
            return proven
        }
    }

    /// Passes a response's head to the authorizers that examine it.
    ///
    /// - Returns: A check of the body that follows, if it is part of the server's proof; a request has one proof, so one
    ///   authorizer at most has a check.
    /// - Throws: Their errors.
    func examine(_ head: ResponseHead, of request: EncodedRequest, after history: CallHistory) throws -> BodyCheck? {
        var check: BodyCheck?
        for (bound, examiner) in zip(examiners, bodyExaminers) where bound.serves(request, after: history) {
            if let examiner {
                check = try examiner.check(head, of: request) ?? check
            } else {
                try bound.authorizer.examine(head, of: request)
            }
        }
        return check
    }
}
