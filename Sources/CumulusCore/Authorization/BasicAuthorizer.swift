// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Basic authentication (RFC 7617) in UTF-8, sent without waiting for a challenge.
///
/// User and password are sent unchanged. RFC 7617 section 2.1 requires Unicode Normalization Form C (NFC), which text
/// from a keyboard usually has; Foundation's `precomposedStringWithCanonicalMapping` converts to it.
package struct BasicAuthorizer: Authorizer, Equatable {
    /// The field; `nil` if the user name has a colon.
    private let field: Secret<HTTPField>?

    /// Creates the authorizer.
    ///
    /// A user name with a colon fails each request, since the server would read part of it as the password.
    package init(user: String, password: Secret<String>) {
        let pair = Data("\(user):\(password.revealed)".utf8).base64EncodedString()
        let isSound = !user.utf8.contains(UInt8(ascii: ":"))
        field = isSound ? Secret(HTTPField(name: .authorization, value: "Basic \(pair)")) : nil
    }

    /// Creates the authorizer from a password in a `String`.
    @_disfavoredOverload
    package init(user: String, password: String) { self.init(user: user, password: Secret(password)) }

    /// False, since it never waits.
    package var mayWait: Bool { false }

    /// False, since it has no other credentials than those already sent.
    package var respondsToChallenges: Bool { false }

    /// Adds the field unless the request already has one with its name.
    package func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        guard let field else { return false }
        request.headers.addIfMissing(field.revealed)
        return true
    }

    /// Sets `Authorization` unless the request already has it.
    package func authorize(_ request: inout EncodedRequest) async throws {
        guard authorizeAtOnce(&request) else {
            throw AuthorizationProblem("the user name contains a colon, which Basic authentication doesn't allow")
        }
    }

    /// The user and the password.
    package var identity: AuthorizerIdentity? { field.map { AuthorizerIdentity("Basic", Secret($0.revealed.value)) } }

    /// Whether a request was sent with these credentials.
    func hasCredentials(in request: EncodedRequest) -> Bool { request.headers[.authorization] == field?.revealed.value }
}
