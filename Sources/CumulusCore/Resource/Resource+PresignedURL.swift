// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// This place's URL with a proof in its query: anyone who has it can use it for a limited time, without keys.
    ///
    /// It is made with the ``AWSAuthorizer`` that would sign a request here; nothing is sent.
    ///
    /// - Parameters:
    ///   - method: The method that the URL allows.
    ///   - lifetime: How long the URL is valid; a second to seven days.
    ///   - query: Items in addition to those of the resource.
    /// - Returns: The URL. Treat it as a password while it is valid.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/authorization`` if no such authorizer is set, or if keys,
    ///   region, service or lifetime can't be used.
    public func presignedURL(
        _ method: HTTPRequest.Method = .get,
        for lifetime: Duration,
        query: Query = [:]
    ) async throws -> String {
        let place = try addressOrRefusal()
        let settings = snapshot
        let whole = settings.value(QueryKey.self).merging(query)
        let url = RequestURL(
            origin: place.origin,
            path: place.path(settings.value(TrailingSlashKey.self)),
            query: whole.encoded(settings.value(QueryStyleKey.self))
        )
        return try await Stage.run(.authorization, .authorization, wrapping: true) {
            let bound = settings.value(AuthorizersKey.self).first { bound in
                bound.origin == url.origin && bound.authorizer is AWSAuthorizer
            }
            guard let authorizer = bound?.authorizer as? AWSAuthorizer else {
                throw AuthorizationProblem("no AWS authorizer is set for \(url.origin), so nothing signs its URL")
            }
            return try await authorizer.presign(url, method: method, for: lifetime).description
        }
    }

    /// This place's URL with a proof in its query, for a method given by name; throws if the name is not a token.
    public func presignedURL(
        _ method: String,
        for lifetime: Duration,
        query: Query = [:]
    ) async throws -> String {
        try await presignedURL(token(method), for: lifetime, query: query)
    }
}
