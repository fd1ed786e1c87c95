// SPDX-License-Identifier: Apache-2.0

/// Why a text or bytes are not a signing key; it contains nothing of the key.
public struct SignatureKeyProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in words.
    public let description: String

    init(_ description: String) { self.description = description }
}
