// SPDX-License-Identifier: Apache-2.0

/// A body that can be produced only once was needed a second time.
///
/// The request fails with ``CumulusError/Code/requestBody`` before anything is sent; this is the cause. Make the stream
/// ``StreamBody/Replay/restartable`` if its producer can start over.
public struct BodyAlreadySent: Error, Sendable, Hashable, CustomStringConvertible {
    /// Makes the error; a transport that repeats requests throws it.
    public init() {}

    /// What happened, in words.
    public var description: String { "the body can be sent only once, and it has already been sent or started" }
}
