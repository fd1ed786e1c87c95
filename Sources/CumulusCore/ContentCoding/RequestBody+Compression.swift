// SPDX-License-Identifier: Apache-2.0

extension RequestBody {
    /// The body encoded with a coding; `nil` if it is sent unchanged.
    ///
    /// Bytes in memory are encoded immediately, files and streams while they are sent.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - keepsSmaller: Whether a body in memory stays unchanged if encoding wouldn't make it smaller.
    /// - Returns: The encoded body.
    /// - Throws: ``ContentCodingProblem`` if the coding is unavailable, ``BodyAlreadySent`` for a stream that is used
    ///   up.
    func compressed(by coding: ContentCoding, keepsSmaller: Bool) throws -> RequestBody? {
        switch self {
        case .none: return nil
        case .bytes(let chunk):
            var compression = try Compression(coding)
            let limit = keepsSmaller ? chunk.count - 1 : nil
            return try compression.compress(chunk, isLast: true, limit: limit).map { .bytes(ByteChunk($0)) }
        case .file, .stream:
            guard canBeSent else { throw BodyAlreadySent() }
            // Checked now, so that a missing library is reported before anything is sent.
            _ = try coding.makeEncoder()
            return pieces.map { .stream($0.compressed(by: coding)) }
        }
    }
}

extension Resource.Settings {
    /// The content codings that are requested and decoded, in order of preference (RFC 9110 section 8.4).
    ///
    /// `Accept-Encoding` is sent with each request, except for requests with a `Range`. Your own `Accept-Encoding`, or
    /// a mask for it, takes precedence. A coding whose library is missing (``ContentCoding/missingLibrary``) is not
    /// requested; a response with a coding that is not listed is refused. If you request an unknown coding yourself,
    /// you receive the encoded body. A decoded response has no `Content-Encoding` or `Content-Length`. A response that
    /// the transport has decoded is left unchanged. If the list is empty, nothing is requested, and bodies stay as they
    /// arrive.
    ///
    /// Default: gzip and deflate. The nearest layer wins.
    public var contentCodings: [ContentCoding] {
        get { self[key: ContentCodingsKey.self] }
        set { self[key: ContentCodingsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/contentCodings``.
enum ContentCodingsKey: HarmlessSettingKey {
    /// The codings of zlib.
    static var defaultValue: [ContentCoding] { ContentCoding.standard }

    /// The names, and the missing libraries.
    static func describe(_ value: [ContentCoding]) -> String {
        value.map { $0.isAvailable ? $0.name : "\($0.name) (missing)" }.joined(separator: ", ")
    }
}
