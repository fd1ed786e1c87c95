// SPDX-License-Identifier: Apache-2.0

/// Why a fixture, or a set of them, can't be used.
public struct FixtureProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with the signature or the file.
    public let description: String

    init(_ description: String) { self.description = description }
}
