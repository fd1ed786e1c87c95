// SPDX-License-Identifier: Apache-2.0

/// Why a content coding can't be undone or applied.
///
/// Of a response it is the ``CumulusError/cause`` of a ``CumulusError/Code/contentCoding``, of a request that of a
/// ``CumulusError/Code/encoding``.
public struct ContentCodingProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public let description: String

    /// Says what was wrong; your own coding throws it.
    public init(_ description: String) { self.description = description }
}
