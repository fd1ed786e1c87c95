// SPDX-License-Identifier: Apache-2.0

/// A part of a body that is sent in parts: its content, what it is called, and header fields of its own.
///
/// A text literal is a part: `["title": "Clouds"]`.
public struct MultipartPart: Sendable {
    enum Content: Sendable {
        case bytes(ByteChunk)
        case file(path: String, range: Range<Int64>?)
        case stream(StreamBody)
        /// Encoded by the coders of the resource.
        case value(any Encodable & Sendable)
    }

    let content: Content
    /// The media type; `nil` sends none, which means text.
    public var mediaType: MediaType?
    /// The name that a form gives the part as a file; `nil` if it is not a file.
    public var fileName: String?
    /// Header fields merged over those that Cumulus makes; `nil` for a name leaves its field out.
    public var headers: Headers = [:]

    private init(_ content: Content, _ mediaType: MediaType?, fileName: String?, _ headers: Headers) {
        self.content = content
        self.mediaType = mediaType
        self.fileName = fileName
        self.headers = headers
    }

    /// A text in UTF-8, sent as it is: line ends are not changed.
    public static func text(_ text: String, type: MediaType? = nil, headers: Headers = [:]) -> MultipartPart {
        MultipartPart(.bytes(ByteChunk(text)), type, fileName: nil, headers)
    }

    /// Bytes; with a file name, the receiver takes them for a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - fileName: The file's name.
    ///   - type: The media type; `nil` is that of the file name's extension, else `application/octet-stream`.
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

    /// A file, or a range of it, read while it is sent and never held whole.
    ///
    /// Its length is taken when the request begins; the request fails if the file is shorter or longer when it is sent.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - range: The bytes to send; `nil` sends all.
    ///   - fileName: The name that the receiver sees; `nil` is the path's last component.
    ///   - type: The media type; `nil` is that of the extension, else `application/octet-stream`.
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

    /// A value, encoded by the resource's coder for the media type.
    public static func value(
        _ value: some Encodable & Sendable,
        as type: MediaType,
        fileName: String? = nil,
        headers: Headers = [:]
    ) -> MultipartPart { MultipartPart(.value(value), type, fileName: fileName, headers) }

    /// A value as JSON.
    public static func json(
        _ value: some Encodable & Sendable,
        fileName: String? = nil,
        headers: Headers = [:]
    ) -> MultipartPart { .value(value, as: .json, fileName: fileName, headers: headers) }

    /// Bytes that are produced while they are sent.
    ///
    /// The body can be sent again only as far as ``StreamBody/replay`` says of each of its parts.
    public static func stream(
        _ body: StreamBody,
        fileName: String? = nil,
        type: MediaType? = nil,
        headers: Headers = [:]
    ) -> MultipartPart {
        let type = type ?? MediaType.ofFile(fileName ?? "") ?? .bytes
        return MultipartPart(.stream(body), type, fileName: fileName, headers)
    }

    /// Bytes of an async sequence, sent as they arrive; read once.
    ///
    /// - Parameters:
    ///   - chunks: The pieces.
    ///   - length: How many bytes there will be; `nil` sends the whole body chunked.
    ///   - fileName: The name that the receiver sees.
    ///   - type: The media type; `nil` is that of the file name's extension, else `application/octet-stream`.
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
    /// A text.
    public init(stringLiteral text: String) { self = .text(text) }
}
