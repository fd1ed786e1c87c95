// SPDX-License-Identifier: Apache-2.0

/// A part of a multipart body: its content, media type, file name and header fields.
///
/// A string literal creates a part: `["title": "Clouds"]`.
public struct MultipartPart: Sendable {
    enum Content: Sendable {
        case bytes(ByteChunk)
        case file(path: String, range: Range<Int64>?)
        case stream(StreamBody)
        /// Encoded with the resource's coders.
        case value(any Encodable & Sendable)
    }

    let content: Content
    /// The media type; `nil` sends none, which means text.
    public var mediaType: MediaType?
    /// The file name in a form; `nil` if the part is not a file.
    public var fileName: String?
    /// Header fields merged over the generated ones; `nil` for a name removes its field.
    public var headers: Headers = [:]

    private init(_ content: Content, _ mediaType: MediaType?, fileName: String?, _ headers: Headers) {
        self.content = content
        self.mediaType = mediaType
        self.fileName = fileName
        self.headers = headers
    }

    /// Creates a part with text in UTF-8, which is sent unchanged: line ends are not converted.
    public static func text(_ text: String, type: MediaType? = nil, headers: Headers = [:]) -> MultipartPart {
        MultipartPart(.bytes(ByteChunk(text)), type, fileName: nil, headers)
    }

    /// Creates a part with bytes; with a file name, the receiver treats them as a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - fileName: The file's name.
    ///   - type: The media type; by default the type for the file name's extension, otherwise
    ///     `application/octet-stream`.
    ///   - headers: Header fields of this part.
    /// - Returns: The part.
    public static func bytes(
        _ bytes: some ByteStorage,
        fileName: String? = nil,
        type: MediaType? = nil,
        headers: Headers = [:]
    ) -> MultipartPart {
        let type = type ?? MediaType.ofFile(fileName ?? "") ?? .bytes
        return MultipartPart(.bytes(ByteChunk(bytes)), type, fileName: fileName, headers)
    }

    /// Creates a part with a file, or a range of it, which is read while it is sent and never held in memory as a
    /// whole.
    ///
    /// Its length is read when the request begins; the request fails if the length has changed when the file is sent.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - range: The bytes to send; `nil` sends all.
    ///   - fileName: The name that the receiver sees; by default the path's last component.
    ///   - type: The media type; by default the type for the extension, otherwise `application/octet-stream`.
    ///   - headers: Header fields of this part.
    /// - Returns: The part.
    public static func file(
        _ file: some Locator,
        range: Range<Int64>? = nil,
        fileName: String? = nil,
        type: MediaType? = nil,
        headers: Headers = [:]
    ) -> MultipartPart {
        let path = file.locatorText
        let name = fileName ?? String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
        let type = type ?? MediaType.ofFile(name) ?? MediaType.ofFile(path) ?? .bytes
        return MultipartPart(.file(path: path, range: range), type, fileName: name, headers)
    }

    /// Creates a part with a value, encoded with the resource's coder for the media type.
    public static func value(
        _ value: some Encodable & Sendable,
        as type: MediaType,
        fileName: String? = nil,
        headers: Headers = [:]
    ) -> MultipartPart { MultipartPart(.value(value), type, fileName: fileName, headers) }

    /// Creates a part with a value as JSON.
    public static func json(
        _ value: some Encodable & Sendable,
        fileName: String? = nil,
        headers: Headers = [:]
    ) -> MultipartPart { .value(value, as: .json, fileName: fileName, headers: headers) }

    /// Creates a part with bytes that are produced while they are sent.
    ///
    /// The body can be sent again only if ``StreamBody/replay`` allows it for each of its parts. A part has no
    /// trailers, so those of the stream are not sent.
    public static func stream(
        _ body: StreamBody,
        fileName: String? = nil,
        type: MediaType? = nil,
        headers: Headers = [:]
    ) -> MultipartPart {
        let type = type ?? MediaType.ofFile(fileName ?? "") ?? .bytes
        return MultipartPart(.stream(body), type, fileName: fileName, headers)
    }

    /// Creates a part with the bytes of an async sequence, which are sent as they arrive.
    ///
    /// The sequence is read once.
    ///
    /// - Parameters:
    ///   - chunks: The pieces.
    ///   - length: The number of bytes; `nil` sends the whole body chunked.
    ///   - fileName: The name that the receiver sees.
    ///   - type: The media type; by default the type for the file name's extension, otherwise
    ///     `application/octet-stream`.
    ///   - headers: Header fields of this part.
    /// - Returns: The part.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil,
        fileName: String? = nil,
        type: MediaType? = nil,
        headers: Headers = [:]
    ) -> MultipartPart where Chunks.Element: ByteStorage {
        let body = StreamBody(length: length) { _, writer in
            for try await chunk in chunks { try await writer.write(ByteChunk(chunk)) }
        }
        return .stream(body, fileName: fileName, type: type, headers: headers)
    }
}

extension MultipartPart: ExpressibleByStringInterpolation {
    /// Creates a part from a string.
    public init(stringLiteral text: String) { self = .text(text) }
}
