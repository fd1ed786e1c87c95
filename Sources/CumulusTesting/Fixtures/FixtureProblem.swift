// SPDX-License-Identifier: Apache-2.0

/// The reason why a fixture, or a set of fixtures, can't be used.
public struct FixtureProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with the signature or the file.
    public let description: String

    init(_ description: String) { self.description = description }
}
