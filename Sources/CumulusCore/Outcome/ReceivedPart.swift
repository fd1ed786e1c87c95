// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A part of a body with its content in memory.
public struct ReceivedPart: BodyPart {
    /// The part's header fields.
    public let headers: HTTPFields
    /// The content.
    public let bytes: ByteChunk

    init(headers: HTTPFields, bytes: ByteChunk) {
        self.headers = headers
        self.bytes = bytes
    }

    /// The content as text, by its charset; `nil` if it is not valid in that charset.
    public var text: String? { try? TextCoder().text(bytes, of: mediaType) }

    /// Returns the content as JSON, regardless of its type.
    ///
    /// - Throws: `JSON.ParsingError`.
    public func json() throws -> JSON { try bytes.withUnsafeBytes { try JSON(parsing: $0) } }

    /// Reads the parts of a multipart body in memory.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - mediaType: The body's media type, with the boundary.
    ///   - limits: The limits for the parts.
    /// - Returns: The parts in order, without the preamble and epilogue.
    /// - Throws: ``MultipartProblem``.
    public static func parts(
        of bytes: ByteChunk,
        _ mediaType: MediaType?,
        limits: MultipartLimits = MultipartLimits()
    ) throws -> [ReceivedPart] {
        var parser = MultipartParser(boundary: try MultipartBoundary.of(mediaType), limits: limits)
        parser.take(bytes)
        parser.finish()
        var parts: [ReceivedPart] = []
        var content: [UInt8] = []
        var headers: HTTPFields = [:]
        while let event = try parser.next() {
            switch event {
            case .begin(let fields): (headers, content) = (fields, [])
            case .bytes(let piece):
                content += piece
                guard content.count <= limits.partSize else { throw parser.partTooLarge }
            case .end: parts.append(ReceivedPart(headers: headers, bytes: ByteChunk(content)))
            }
        }
        return parts
    }
}

extension ReceivedPart: Redacted {
    /// The media type and size, without the content.
    public var description: String { "\(mediaType?.essence ?? "unnamed content"): \(bytes.count) bytes" }
}

extension Response {
    /// Returns the parts of a multipart body: byte ranges, a batch's responses, form data.
    ///
    /// - Throws: ``CumulusError/Code/decoding`` with a ``MultipartProblem`` as its cause.
    public func parts(limits: MultipartLimits = MultipartLimits()) throws -> [ReceivedPart] {
        try Stage.run(.decoding, .decoding, request: request, response: self) {
            try ReceivedPart.parts(of: bytes, mediaType, limits: limits)
        }
    }
}
