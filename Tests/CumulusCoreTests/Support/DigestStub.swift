// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes

extension StubTransport {
    /// A service that wants Digest for everything, and answers with the method and the body's size, and with its own
    /// proof.
    static func digest(_ space: DigestSpace, rspauth: String? = nil) -> StubTransport {
        StubTransport { request in
            let verdict = space.judge(
                method: request.method.rawValue,
                target: request.request.target,
                authorization: request.headers[.authorization],
                body: request.body
            )
            var headers = HTTPFields()
            switch verdict {
            case .accepted(let info):
                let body = Array("\(request.method.rawValue) \(request.body.count)".utf8)
                let own = space.proof(
                    answering: request.headers[.authorization],
                    target: request.request.target,
                    body: body
                )
                let authorized = own.map { "\(info), \($0)" } ?? info
                headers[.authenticationInfo] = rspauth.map { "rspauth=\"\($0)\"" } ?? authorized
                return .response(headers: Headers(headers), body: body)
            case .refused(let challenges):
                for challenge in challenges { headers.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
                return .response(.unauthorized, headers: Headers(headers))
            }
        }
    }
}
