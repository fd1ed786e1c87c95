// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Basic authentication (RFC 7617) in UTF-8, sent without waiting to be asked.
///
/// User and password go as they are. RFC 7617 section 2.1 wants them in Unicode's form C (NFC), which text from a keyboard
/// mostly has; `precomposedStringWithCanonicalMapping` of Foundation makes it.
package struct BasicAuthorizer: Authorizer, Equatable {
    /// The field; `nil` for a user name with a colon.
    private let field: Secret<HTTPField>?

    /// Makes the authorizer; a user name with a colon can't be told from its password and fails each request.
    package init(user: String, password: Secret<String>) {
        let pair = Data("\(user):\(password.revealed)".utf8).base64EncodedString()
        let isSound = !user.utf8.contains(UInt8(ascii: ":"))
        field = isSound ? Secret(HTTPField(name: .authorization, value: "Basic \(pair)")) : nil
    }

    /// Makes the authorizer of a password held in a `String`.
    @_disfavoredOverload
    package init(user: String, password: String) { self.init(user: user, password: Secret(password)) }

    /// It waits for nothing.
    package var mayWait: Bool { false }

    /// It has one answer, which is sent already.
    package var answersChallenges: Bool { false }

    /// Sets `Authorization` unless the request has one.
    package func authorize(_ request: inout EncodedRequest) async throws {
        guard addProof(to: &request.headers) else {
            throw AuthorizationProblem("the user name contains a colon, which Basic authentication doesn't allow")
        }
    }

    /// Whether it is what a request was sent with.
    func isProof(in request: EncodedRequest) -> Bool { request.headers[.authorization] == field?.revealed.value }
}

extension BasicAuthorizer: ReadyAuthorizer {
    func addProof(to headers: inout HTTPFields) -> Bool {
        guard let field else { return false }
        headers.addIfMissing(field.revealed)
        return true
    }
}
