// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why a response was not read: its media type is not one that the call accepts.
///
/// It is the cause of an error with ``CumulusError/Code/decoding``, for example of ``Call/stream(accepting:)`` and of
/// event streams.
public struct MediaTypeMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The response's media type; `nil` if it is missing.
    public let received: MediaType?
    /// The media types that the call accepts.
    public let accepted: [MediaType]

    init(_ received: MediaType?, accepting accepted: [MediaType]) {
        (self.received, self.accepted) = (received, accepted)
    }

    /// The received and the accepted media types, in a sentence.
    public var description: String {
        let name = received.map { "of type \($0.essence)" } ?? "without a media type"
        return PeerText.printable("the response is \(name), not \(accepted.map(\.essence).joined(separator: " or "))")
    }
}
