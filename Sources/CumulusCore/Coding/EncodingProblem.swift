// SPDX-License-Identifier: Apache-2.0

/// A value that could not be encoded: the `cause` of a ``CumulusError`` with the code ``CumulusError/Code/encoding``.
///
/// Its description names the type, never the value.
public struct EncodingProblem: Error, Sendable, CustomStringConvertible {
    /// Why, with the coding path where there is one, and as what the value was to be sent.
    public let description: String
    /// Where in the value the trouble is; empty for the top, or where the coder doesn't say.
    public let codingPath: [any CodingKey]
    /// As what the value was to be sent; `nil` if nothing was said.
    public let mediaType: MediaType?
    /// The coder's own error.
    public let cause: any Error

    init(_ cause: any Error, type: any Any.Type, mediaType: MediaType?) {
        self.cause = cause
        self.mediaType = mediaType
        let target = mediaType.map { " as \($0.essence)" } ?? ""
        guard case .invalidValue(_, let context)? = cause as? EncodingError else {
            codingPath = []
            description = PeerText.printable(
                "\(type) can't be sent\(target): \(cause)",
                limit: PeerText.longestMessage
            )
            return
        }
        codingPath = context.codingPath
        let place = CodingPlace.text(context.codingPath)
        description = PeerText.printable(
            "\(type) can't be sent\(target): at \(place): \(context.debugDescription)",
            limit: PeerText.longestMessage
        )
    }
}

extension EncodingProblem: CustomReflectable {
    /// Shows what the description does; what is beneath may quote a value.
    public var customMirror: Mirror { Mirror(self, children: ["problem": description]) }
}
