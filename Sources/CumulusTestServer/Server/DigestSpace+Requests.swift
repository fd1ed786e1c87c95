// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension DigestSpace {
    /// Responds to a ``LoopbackServer``'s request: with `answer` if the request is from the user, otherwise with 401
    /// and challenges.
    ///
    ///     let space = DigestSpace(user: "ada", password: "lovelace")
    ///     routes.get("/vault") { request in space.respond(to: request) { .text("the secret") } }
    ///
    /// - Parameters:
    ///   - request: The received request.
    ///   - answer: Creates the response; the field `Authentication-Info` is added to it, with the server's own
    ///     authentication. If this authentication covers the body (`auth-int`), the body must be bytes; otherwise, the
    ///     authentication is omitted.
    /// - Returns: The response.
    public func respond(to request: ServerRequest, with answer: () -> ServerResponse) -> ServerResponse {
        let result = judge(
            method: request.method.rawValue,
            target: request.target,
            authorization: request.headers[.authorization],
            body: request.body
        )
        switch result {
        case .accepted(let info):
            var response = answer()
            let parameters = [info, proof(to: request, of: response)].filter { !$0.isEmpty }
            response.headers[.authenticationInfo] = parameters.isEmpty ? nil : parameters.joined(separator: ", ")
            return response
        case .refused(let challenges):
            var response = ServerResponse(.unauthorized)
            response.headers[values: .wwwAuthenticate] = challenges
            return response
        }
    }

    /// The server's own proof, if it covers the body and that is known; otherwise empty.
    private func proof(to request: ServerRequest, of response: ServerResponse) -> String {
        guard case .bytes(let body) = response.content else { return "" }
        return proof(answering: request.headers[.authorization], target: request.target, body: body) ?? ""
    }
}
