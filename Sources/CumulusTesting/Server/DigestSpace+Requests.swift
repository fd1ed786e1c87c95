// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension DigestSpace {
    /// Answers a request of a ``LoopbackServer``: what `answer` makes where it is the user, else a 401 with challenges.
    ///
    ///     let space = DigestSpace(user: "ada", password: "lovelace")
    ///     routes.get("/vault") { request in space.respond(to: request) { .text("the secret") } }
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - answer: Makes the answer; it gets the field `Authentication-Info`.
    /// - Returns: The answer.
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
