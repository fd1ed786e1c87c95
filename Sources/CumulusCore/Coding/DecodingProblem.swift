// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A body that could not be decoded: the `cause` of a ``CumulusError`` with the code ``CumulusError/Code/decoding``.
///
/// Its description contains the reason, the place in the value, and the body's length and media type. It doesn't quote
/// any part of the body except member names, unless your own type's error does. Use ``excerpt`` to see a part of the
/// body.
public struct DecodingProblem: Error, Sendable, Redacted {
    /// The reason, with the coding path if there is one, and the body's media type.
    public let description: String
    /// The place in the value; empty for the top level, or if the coder doesn't report it.
    public let codingPath: [any CodingKey]
    /// The response's media type; `nil` if it had none.
    public let mediaType: MediaType?
    /// At most 256 bytes of the body as text, around the problem if the coder knows its position, otherwise from its
    /// beginning.
    public let excerpt: Secret<String>
    /// The coder's own error.
    public let cause: any Error

    /// Creates a problem from a coder's error.
    ///
    /// - Parameters:
    ///   - cause: The coder's error.
    ///   - type: The requested type.
    ///   - bytes: The body.
    ///   - mediaType: The response's media type; `nil` if it had none.
    public init(_ cause: any Error, type: any Any.Type, bytes: ByteChunk, mediaType: MediaType?) {
        self.cause = cause
        self.mediaType = mediaType
        let (reason, path) = DecodingProblem.explain(cause)
        codingPath = path
        let name = mediaType?.essence ?? "unnamed content"
        description = PeerText.printable(
            "\(bytes.count) bytes of \(name) can't be decoded as \(type): \(reason)",
            limit: PeerText.longestMessage
        )
        excerpt = DecodingProblem.excerpt(of: bytes, near: (cause as? any LocatedProblem)?.offset ?? 0)
    }

    /// The maximum length of an excerpt in bytes.
    static let excerptLimit = 256

    /// The part of a body around a byte, as text.
    static func excerpt(of bytes: ByteChunk, near offset: Int) -> Secret<String> {
        let limit = excerptLimit
        var text = bytes.withUnsafeBytes { bytes in
            let start = min(max(0, offset - limit / 2), max(0, bytes.count - limit))
            return String(decoding: bytes.dropFirst(start).prefix(limit), as: UTF8.self)
        }
        // Replacement characters may have made it longer.
        while text.utf8.count > limit { text.removeLast() }
        return Secret(text)
    }

    /// The message of our decoder or of the standard library, without the number or text that it quotes.
    private static func withoutContent(_ reason: String) -> String {
        if reason.begins(with: "Number "),
            let end = reason.place(of: " does not fit") ?? reason.place(of: " is not ")
        {
            return "The number" + reason[end.lowerBound...]
        }
        if reason.begins(with: "Cannot initialize "), let start = reason.place(of: " from invalid ") {
            return reason[..<start.lowerBound] + " from this value"
        }
        return reason
    }

    private static func explain(_ error: any Error) -> (reason: String, path: [any CodingKey]) {
        guard let error = error as? DecodingError else { return ("\(error)", []) }
        switch error {
        case .keyNotFound(let key, let context):
            let place = CodingPath.text(context.codingPath)
            return ("at \(place): the key \"\(key.stringValue)\" is missing", context.codingPath)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let reason = withoutContent(context.debugDescription)
            return ("at \(CodingPath.text(context.codingPath)): \(reason)", context.codingPath)
        @unknown default: return ("\(error)", [])
        }
    }
}
