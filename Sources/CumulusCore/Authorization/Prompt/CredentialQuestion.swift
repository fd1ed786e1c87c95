// SPDX-License-Identifier: Apache-2.0

/// A request for a user and a password.
public struct CredentialQuestion: Sendable, Hashable {
    /// The origin that requires them.
    public let origin: Origin
    /// What they are for, in the server's words, fit to print; `nil` if the server doesn't say.
    public let realm: String?
    /// The scheme that will be used: `Digest`, or `Basic`, which sends the password in clear text.
    public let scheme: String
    /// How often this was asked, from 1; more than 1 means that the server refused the previous answer.
    public let attempt: Int
}
