// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Passes a request to the authorizers of its origin, which add their credentials.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]
    /// Whether any authorizer responds to challenges.
    let respondsToChallenges: Bool
    /// Whether credentials may be valid for one request only.
    let hasSingleUseCredentials: Bool

    init(_ settings: SettingValues) {
        authorizers = Array(settings.value(AuthorizersKey.self))
        respondsToChallenges = authorizers.contains { $0.authorizer.respondsToChallenges }
        hasSingleUseCredentials = authorizers.contains { $0.authorizer.hasSingleUseCredentials }
    }

    /// A request while the authorizers add their credentials.
    struct Progress: Sendable {
        var request: EncodedRequest
        var applied = AppliedAuthorizers()
        /// The index of the next authorizer.
        var next = 0
        /// Whether the users of the authorizers are recorded, for stores.
        let notesUsers: Bool

        init(_ request: EncodedRequest, notesUsers: Bool) { (self.request, self.notesUsers) = (request, notesUsers) }
    }

    /// Adds credentials up to the first authorizer that may have to wait.
    ///
    /// - Parameters:
    ///   - progress: The request.
    ///   - memory: The attempts before.
    /// - Returns: Whether the request has all credentials.
    /// - Throws: ``OriginChanged``, or the malformation of a header field that an authorizer has set.
    func authorizeAtOnce(_ progress: inout Progress, after memory: Recovery.Memory) throws -> Bool {
        while progress.next < authorizers.count {
            if mayAuthorize(progress, after: memory) {
                var authorized = progress.request
                guard authorizers[progress.next].authorizer.authorizeAtOnce(&authorized) else { return false }
                try take(authorized, into: &progress)
            }
            progress.next += 1
        }
        return true
    }

    /// Adds the credentials of the remaining authorizers.
    func authorize(
        _ progress: Progress,
        after memory: Recovery.Memory,
        _ call: CallContext,
        on clock: any RequestClock
    ) async throws -> Progress {
        var progress = progress
        repeat {
            let authorizer = authorizers[progress.next].authorizer
            var authorized = progress.request
            if authorizer.mayWait {
                authorized = try await call.waiting(on: clock, for: authorized) { [authorized] in
                    var own = authorized
                    try await authorizer.authorize(&own)
                    return own
                }
            } else {
                try await authorizer.authorize(&authorized)
            }
            try take(authorized, into: &progress)
            progress.next += 1
        } while try !authorizeAtOnce(&progress, after: memory)
        return progress
    }

    /// Whether the next authorizer may authorize the request.
    private func mayAuthorize(_ progress: Progress, after memory: Recovery.Memory) -> Bool {
        authorizers[progress.next].serves(progress.request, after: memory.redirects)
            && !memory.refusedAuthors.contains(progress.next)
    }

    /// Checks what the next authorizer has changed, and records its part.
    private func take(_ authorized: EncodedRequest, into progress: inout Progress) throws {
        let (before, index) = (progress.request, progress.next)
        guard authorized.origin == before.origin else {
            throw OriginChanged(from: before.origin, to: authorized.origin)
        }
        if let malformation = authorized.headers.malformation { throw malformation }
        progress.request = authorized
        if progress.notesUsers { progress.applied.noteUser(of: authorizers[index], at: index) }
        if authorizers.count == 1 {
            // It has no other one's credentials to replace.
            progress.applied.noteAuthor(index, of: authorized.headers, given: before.headers)
            return
        }
        // The `Authorization` of the nearest authorizer that set one; those of its parents don't replace it.
        let isOwn = progress.applied.note(authorizers[index], at: index, given: before, made: authorized)
        if !isOwn {
            progress.request.headers[.authorization] = before.headers[.authorization]
            progress.request.authorizerStates = before.authorizerStates
        }
    }

    /// Passes a response's head to the authorizers that respond to challenges.
    ///
    /// - Returns: The checks of the body that follows, if the server's authentication includes it.
    /// - Throws: The authorizers' errors.
    func examine(_ head: ResponseHead, of request: EncodedRequest, after redirects: [Response.Redirect]) throws
        -> BodyCheck?
    {
        var check: BodyCheck?
        for bound in authorizers where bound.authorizer.respondsToChallenges && bound.serves(request, after: redirects)
        {
            guard let own = try bound.authorizer.examine(head, of: request) else { continue }
            check = check.map { $0.and(own) } ?? own
        }
        return check
    }
}
