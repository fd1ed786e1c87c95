// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why no token could be obtained; the cause of a `CumulusError.Code.authorization` error.
///
/// Strings from the server are escaped and truncated; no description shows a secret.
public struct OAuth2Error: Error, Sendable, Hashable {
    /// The kind of failure; future versions may add codes, so a `switch` needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The server refused the request; ``OAuth2Error/error`` is its code for the reason.
        public static let refused = Code(description: "refused")
        /// The server's response doesn't follow the RFC, or its status is meaningless.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// An address is invalid, or neither https nor on this machine.
        public static let insecureAddress = Code(description: "insecureAddress")
        /// A document belongs to a different issuer or resource than requested, or the state is wrong.
        public static let mismatch = Code(description: "mismatch")
        /// A secret would have been sent to an origin that you haven't declared.
        public static let undeclaredOrigin = Code(description: "undeclaredOrigin")
        /// The server doesn't offer what the grant needs, or issues tokens that are not bearer tokens.
        public static let unsupported = Code(description: "unsupported")
        /// The user declined or cancelled.
        public static let denied = Code(description: "denied")
        /// The user didn't sign in within the time limit.
        public static let expired = Code(description: "expired")
        /// The grant is no longer valid, and only a person can grant a new one.
        public static let ended = Code(description: "ended")
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the problem.
    public let message: String
    /// The server's `error` code (RFC 6749 section 5.2): `invalid_grant`; `nil` if there is none.
    public let error: String?
    /// The server's `error_description`, escaped and truncated.
    public let errorDescription: String?
    /// The status of the server's response.
    public let status: Int?
    /// The remedy in Swift, which only the description contains.
    private var remedy = ""

    init(
        _ code: Code,
        _ message: String,
        error: String? = nil,
        errorDescription: String? = nil,
        status: Int? = nil
    ) {
        self.code = code
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
        self.error = error
        self.errorDescription = errorDescription
        self.status = status
    }

    /// A server's refusal, with its texts made fit to print; secrets quoted in them are removed.
    init(refusal error: String, _ description: String?, status: Int?, hiding secrets: QuotedSecrets) {
        let word = OAuth2Error.known.contains(error) ? error : OAuth2Error.printable(error, hiding: secrets)
        let said = description.map { OAuth2Error.printable($0, hiding: secrets) }
        let detail = said.map { " (\($0))" } ?? ""
        self.init(
            error == "access_denied" ? .denied : .refused,
            "the authorization server refused: \(word)\(detail)",
            error: word,
            errorDescription: said,
            status: status
        )
    }

    /// The same error, with a remedy in Swift.
    func remedied(by remedy: String) -> OAuth2Error {
        var error = self
        error.remedy = ": \(remedy)"
        return error
    }

    /// Whether the grant itself has expired, was revoked, or was issued to another client.
    var isInvalidGrant: Bool { error == "invalid_grant" }

    /// The codes of the RFCs (6749, 7009, 8628, 8693 and OpenID Connect), by which the program decides: they tell
    /// nothing of a secret, even one that happens to be part of them.
    private static let known: Set = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "unsupported_response_type", "server_error", "temporarily_unavailable",
        "unsupported_token_type", "authorization_pending", "slow_down", "expired_token", "invalid_target",
        "interaction_required", "login_required", "consent_required", "account_selection_required",
    ]

    private static func printable(_ text: String, hiding secrets: QuotedSecrets) -> String {
        secrets.areQuoted(in: text) ? "<redacted>" : PeerText.printable(text)
    }
}

extension OAuth2Error: CustomStringConvertible {
    /// The message, and the remedy in Swift if there is one.
    public var description: String { message + remedy }
}
