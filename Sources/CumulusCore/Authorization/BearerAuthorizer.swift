// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A bearer token (RFC 6750 section 2.1).
package struct BearerAuthorizer: Authorizer, Equatable {
    /// The field; `nil` if no header can carry the token.
    private let field: Secret<HTTPField>?

    /// Creates the authorizer; a token that no header can carry fails each request.
    package init(_ token: Secret<String>) {
        let text = token.revealed
        let isSendable = !text.isEmpty && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        field = isSendable ? Secret(HTTPField(name: .authorization, value: "Bearer \(text)")) : nil
    }

    /// Creates the authorizer from a token in a `String`.
    @_disfavoredOverload
    package init(_ token: String) { self.init(Secret(token)) }

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

    /// The token.
    package var identity: AuthorizerIdentity? { field.map { AuthorizerIdentity("Bearer", Secret($0.revealed.value)) } }

    /// Sets `Authorization` unless the request already has it.
    package func authorize(_ request: inout EncodedRequest) async throws {
        guard authorizeAtOnce(&request) else {
            throw AuthorizationProblem(
                "the bearer token is empty or contains a character that is not allowed in a header"
            )
        }
    }
}
