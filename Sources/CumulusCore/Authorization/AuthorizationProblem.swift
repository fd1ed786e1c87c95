// SPDX-License-Identifier: Apache-2.0

/// Why an authorizer can't add its proof: the cause of an error with ``CumulusError/Code/authorization``.
public struct AuthorizationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without secrets.
    public let description: String

    /// Makes a problem; an authorizer of your own throws it.
    ///
    /// - Parameter description: What is wrong, without secrets.
    public init(_ description: String) { self.description = description }
}
