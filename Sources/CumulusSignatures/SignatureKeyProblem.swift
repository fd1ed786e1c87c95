// SPDX-License-Identifier: Apache-2.0

/// The reason why a string or bytes are not a signing key; it contains no part of the key.
public struct SignatureKeyProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem.
    public let description: String

    init(_ description: String) { self.description = description }
}
