// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes

extension StubTransport {
    /// A service that wants Digest for everything, and answers with the method and the body's size.
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
                headers[.authenticationInfo] = rspauth.map { "rspauth=\"\($0)\"" } ?? info
                let text = "\(request.method.rawValue) \(request.body.count)"
                return .response(headers: Headers(headers), body: Array(text.utf8))
            case .refused(let challenges):
                for challenge in challenges { headers.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
                return .response(.unauthorized, headers: Headers(headers))
            }
        }
    }
}
