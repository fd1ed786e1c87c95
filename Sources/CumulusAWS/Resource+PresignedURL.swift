// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

extension Resource {
    /// Returns this resource's URL with a signature in its query, which anyone can use for a limited time, without
    /// keys.
    ///
    /// The signature is made by the ``AWSAuthorizer`` that would sign a request on this resource; nothing is sent.
    ///
    /// - Parameters:
    ///   - method: The method that the URL allows.
    ///   - lifetime: The time for which the URL is valid: one second to seven days.
    ///   - query: Query items in addition to those of the resource.
    /// - Returns: The URL. Treat it as a password while it is valid.
    /// - Throws: `CumulusError`, with `CumulusError.Code.authorization` if no such authorizer is set, or if keys,
    ///   region, service or lifetime can't be used.
    public func presignedURL(
        _ method: HTTPRequest.Method = .get,
        for lifetime: Duration,
        query: Query = [:]
    ) async throws -> String {
        let url = try requestURL(query: query)
        do {
            let signers = self.authorizers.lazy.filter { $0.origin == url.origin }
            guard let authorizer = signers.compactMap({ $0.authorizer as? AWSAuthorizer }).first else {
                throw AuthorizationProblem("no AWS authorizer is set for \(url.origin), so its URL can't be signed")
            }
            return try await authorizer.presign(url, method: method, for: lifetime).description
        } catch {
            // A source of keys may report a cancellation in its own way.
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            if let failure = error as? TransportFailure { throw CumulusError(failure, stage: .authorization) }
            throw CumulusError(.authorization, stage: .authorization, "\(error)", cause: error)
        }
    }
}
