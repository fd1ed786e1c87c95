// SPDX-License-Identifier: Apache-2.0

/// A body that could not be decoded: the `cause` of a ``CumulusError`` with the code ``CumulusError/Code/decoding``.
///
/// Its description tells why, where in the value, how long the body was and what it was called; it quotes nothing of the
/// body but names of members, unless your own type's error does. ``excerpt`` has some of it, for whoever asks.
public struct DecodingProblem: Error, Sendable, CustomStringConvertible {
    /// Why, with the coding path where there is one, and what the body was called.
    public let description: String
    /// Where in the value the trouble is; empty for the top, or where the coder doesn't say.
    public let codingPath: [any CodingKey]
    /// What the response called the body; `nil` if it said nothing.
    public let mediaType: MediaType?
    /// At most 256 bytes of the body as text, around the trouble where the coder knows its place, else its beginning.
    public let excerpt: Secret<String>
    /// The coder's own error.
    public let cause: any Error

    init(_ cause: any Error, type: any Any.Type, bytes: ByteChunk, mediaType: MediaType?) {
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

    private static func excerpt(of bytes: ByteChunk, near offset: Int) -> Secret<String> {
        let limit = 256
        var text = bytes.withUnsafeBytes { bytes in
            let start = min(max(0, offset - limit / 2), max(0, bytes.count - limit))
            return String(decoding: bytes.dropFirst(start).prefix(limit), as: UTF8.self)
        }
        // Replaced bytes may have grown.
        while text.utf8.count > limit { text.removeLast() }
        return Secret(text)
    }

    /// Words of our decoder and of the standard library, without the number or text that they quote.
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
            let place = CodingPlace.text(context.codingPath)
            return ("at \(place): the key \"\(key.stringValue)\" is missing", context.codingPath)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let reason = withoutContent(context.debugDescription)
            return ("at \(CodingPlace.text(context.codingPath)): \(reason)", context.codingPath)
        @unknown default: return ("\(error)", [])
        }
    }
}

extension DecodingProblem: CustomReflectable {
    /// Shows what the description does; what is beneath may quote a value.
    public var customMirror: Mirror { Mirror(self, children: ["problem": description]) }
}
