// SPDX-License-Identifier: Apache-2.0

/// Why a body can't be encoded or decoded with a content coding.
///
/// For a response it is the ``CumulusError/cause`` of a ``CumulusError/Code/contentCoding``, for a request that of a
/// ``CumulusError/Code/encoding``.
public struct ContentCodingProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, in words.
    public let description: String

    /// Makes a problem; your own coding throws it.
    public init(_ description: String) { self.description = description }
}
