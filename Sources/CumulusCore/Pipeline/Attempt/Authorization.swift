// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Passes a request to the authorizers of its origin, which add their credentials.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]
    /// Whether any authorizer responds to challenges.
    let answersChallenges: Bool
    /// Whether credentials may be valid for one request only.
    let provesOnce: Bool

    init(_ settings: SettingValues) {
        authorizers = Array(settings.value(AuthorizersKey.self))
        answersChallenges = authorizers.contains { $0.authorizer.answersChallenges }
        provesOnce = authorizers.contains { $0.authorizer.provesOnce }
    }

    /// The request's header fields with its credentials, if they are available without waiting and consist only of
    /// fields; otherwise `nil`.
    func fieldsAtOnce(
        _ request: EncodedRequest,
        after memory: Recovery.Memory,
        notesUsers: Bool
    ) -> (fields: HTTPFields, applied: AppliedAuthorizers)? {
        var (fields, applied) = (request.headers, AppliedAuthorizers())
        for index in authorizers.indices where isAsked(index, request, after: memory) {
            let count = fields.count
            // With several authorizers, the fields before and after are compared. A single one can't replace another's
            // credentials.
            let given = authorizers.count > 1 ? fields : nil
            guard authorizers[index].authorizer.prove(&fields), !fields.dropFirst(count).contains(where: \.isMalformed)
            else { return nil }
            if notesUsers { applied.noteUser(of: authorizers[index], at: index) }
            if let given {
                let isOwn = applied.note(authorizers[index], at: index, given: given, made: fields)
                if !isOwn { fields[.authorization] = given[.authorization] }
            } else if answersChallenges, fields.count > count, request.headers[.authorization] == nil {
                applied.noteAuthor(index, of: fields)
            }
        }
        return (fields, applied)
    }

    /// Adds the credentials that the request may have after the attempts before.
    func authorize(
        _ request: EncodedRequest,
        after memory: Recovery.Memory,
        _ call: CallContext,
        on clock: any RequestClock,
        notesUsers: Bool
    ) async throws -> (request: EncodedRequest, applied: AppliedAuthorizers) {
        var (authorized, applied) = (request, AppliedAuthorizers())
        for index in authorizers.indices where isAsked(index, request, after: memory) {
            let given = authorized
            try await addCredentials(of: authorizers[index].authorizer, to: &authorized, call, on: clock)
            if notesUsers { applied.noteUser(of: authorizers[index], at: index) }
            guard authorized.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: authorized.origin)
            }
            if let malformation = authorized.headers.malformation { throw malformation }
            // The `Authorization` of the nearest authorizer that set one; those of its parents don't replace it.
            let isOwn = applied.note(
                authorizers[index],
                at: index,
                given: given.headers,
                made: authorized.headers,
                changesTarget: authorized.target != given.target
            )
            if !isOwn { authorized.headers[.authorization] = given.headers[.authorization] }
        }
        return (authorized, applied)
    }

    /// Whether an authorizer may authorize a request.
    private func isAsked(_ index: Int, _ request: EncodedRequest, after memory: Recovery.Memory) -> Bool {
        authorizers[index].serves(request, after: memory.redirects) && !memory.refusedAuthors.contains(index)
    }

    private func addCredentials(
        of authorizer: any Authorizer,
        to request: inout EncodedRequest,
        _ call: CallContext,
        on clock: any RequestClock
    ) async throws {
        var fields = request.headers
        if authorizer.prove(&fields) {
            request.headers = fields
            return
        }
        guard authorizer.mayWait else { return try await authorizer.authorize(&request) }
        request = try await call.waiting(on: clock, for: request) { [request] in
            var authorized = request
            try await authorizer.authorize(&authorized)
            return authorized
        }
    }

    /// Passes a response's head to the authorizers that respond to challenges.
    ///
    /// - Returns: The checks of the body that follows, if the server's authentication includes it.
    /// - Throws: The authorizers' errors.
    func examine(_ head: ResponseHead, of request: EncodedRequest, after redirects: [Response.Hop]) throws -> BodyCheck?
    {
        var check: BodyCheck?
        for bound in authorizers where bound.authorizer.answersChallenges && bound.serves(request, after: redirects) {
            guard let own = try bound.authorizer.examine(head, of: request) else { continue }
            check = check.map { $0.and(own) } ?? own
        }
        return check
    }
}
