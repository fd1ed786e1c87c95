// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension DigestSpace {
    /// Responds to a request of a ``LoopbackServer``: with `answer` if it is from the user, otherwise with 401 and
    /// challenges.
    ///
    ///     let space = DigestSpace(user: "ada", password: "lovelace")
    ///     routes.get("/vault") { request in space.respond(to: request) { .text("the secret") } }
    ///
    /// - Parameters:
    ///   - request: The received request.
    ///   - answer: Makes the response; the field `Authentication-Info` is added to it.
    /// - Returns: The response.
    public func respond(to request: ServerRequest, with answer: () -> ServerResponse) -> ServerResponse {
        let verdict = judge(
            method: request.method.rawValue,
            target: request.target,
            authorization: request.headers[.authorization],
            body: request.body
        )
        switch verdict {
        case .accepted(let info):
            var response = answer()
            response.headers[.authenticationInfo] = info.isEmpty ? nil : info
            return response
        case .refused(let challenges):
            var response = ServerResponse(.unauthorized)
            response.headers[values: .wwwAuthenticate] = challenges
            return response
        }
    }
}
