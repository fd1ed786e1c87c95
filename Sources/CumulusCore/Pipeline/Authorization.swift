// SPDX-License-Identifier: Apache-2.0

/// Stage 3d, request -> authorized request: lets each authorizer of the request's origin add its proof.
struct Authorization: Sendable {
    let authorizers: [BoundAuthorizer]

    /// - Parameter mayAuthorize: False once a redirect has led to another origin: no later hop gets proof again.
    func authorize(_ request: EncodedRequest, mayAuthorize: Bool) async throws -> EncodedRequest {
        guard mayAuthorize, !authorizers.isEmpty else { return request }
        var authorized = request
        for bound in authorizers where bound.origin == request.origin {
            try await bound.authorizer.authorize(&authorized)
        }
        return authorized
    }
}
