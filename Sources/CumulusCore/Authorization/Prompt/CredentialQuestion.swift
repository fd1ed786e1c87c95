// SPDX-License-Identifier: Apache-2.0

/// What is asked of somebody who is to give a user and a password.
public struct CredentialQuestion: Sendable, Hashable {
    /// Who wants to know.
    public let origin: Origin
    /// What it is for, in the server's words, fit to print; `nil` if the server doesn't say.
    public let realm: String?
    /// The scheme that will be used: `Digest` or `Basic`, which sends the password as it is.
    public let scheme: String
    /// How often this was asked, from 1; more than 1 means that the server refused what was given.
    public let attempt: Int
}
