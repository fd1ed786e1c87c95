// SPDX-License-Identifier: Apache-2.0

/// Stage 3c, request -> authorized request: lets each authorizer of the request's origin add its proof.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]

    /// Adds proof, unless a redirect has led to another origin: then no later hop gets any.
    func authorize(_ request: EncodedRequest, mayAuthorize: Bool) async throws -> EncodedRequest {
        guard mayAuthorize, !authorizers.isEmpty else { return request }
        var authorized = request
        for bound in authorizers where bound.origin == request.origin {
            try await bound.authorizer.authorize(&authorized)
            guard authorized.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: authorized.origin)
            }
        }
        return authorized
    }
}
