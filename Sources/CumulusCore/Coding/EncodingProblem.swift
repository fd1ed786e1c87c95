// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A value that could not be encoded: the `cause` of a ``CumulusError`` with the code ``CumulusError/Code/encoding``.
///
/// Its description names the type, never the value.
public struct EncodingProblem: Error, Sendable, Redacted {
    /// The reason, with the coding path if there is one, and the media type to encode.
    public let description: String
    /// The place in the value; empty for the top level, or if the coder doesn't report it.
    public let codingPath: [any CodingKey]
    /// The media type to encode; `nil` if none was set.
    public let mediaType: MediaType?
    /// The number of the value, counted from 1, in a body of values that are sent as they arrive; `nil` for other
    /// bodies.
    public let number: Int?
    /// The coder's own error.
    public let cause: any Error

    init(_ cause: any Error, type: any Any.Type, mediaType: MediaType?, number: Int? = nil) {
        self.cause = cause
        self.mediaType = mediaType
        self.number = number
        let position = number.map { "value \($0): " } ?? ""
        let target = mediaType.map { " as \($0.essence)" } ?? ""
        guard case .invalidValue(_, let context)? = cause as? EncodingError else {
            codingPath = []
            description = PeerText.printable(
                "\(position)\(type) can't be sent\(target): \(cause)",
                limit: PeerText.longestMessage
            )
            return
        }
        codingPath = context.codingPath
        let place = CodingPath.text(context.codingPath)
        description = PeerText.printable(
            "\(position)\(type) can't be sent\(target): at \(place): \(context.debugDescription)",
            limit: PeerText.longestMessage
        )
    }
}
