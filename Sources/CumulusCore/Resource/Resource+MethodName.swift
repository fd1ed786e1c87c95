// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

extension Resource {
    /// Creates a method from its name.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` for a name that is not a token.
    func token(_ method: String) throws -> HTTPRequest.Method {
        if let method = HTTPRequest.Method(rawValue: method) { return method }
        throw CumulusError(
            .invalidRequest,
            stage: .encoding,
            "the method \(PeerText.quoted(method)) is not a token (RFC 9110 section 9.1)"
        )
    }
}
