// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
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
        let bare = with { settings in
            settings.authorizers = .replacing([])
            settings.preflights = .replacing([])
        }
        let request = try await bare.call(method, query: query).encoded()
        do {
            let signers = self.authorizers.lazy.filter { $0.origin == request.origin }
            guard let authorizer = signers.compactMap({ $0.authorizer as? AWSAuthorizer }).first else {
                throw AuthorizationProblem("no AWS authorizer is set for \(request.origin), so nothing signs its URL")
            }
            let url = try RequestURL("\(request.origin)\(request.target)")
            return try await authorizer.presign(url, method: method, for: lifetime).description
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw CumulusError(.authorization, stage: .authorization, "\(error)", request: request, cause: error)
        }
    }
}
