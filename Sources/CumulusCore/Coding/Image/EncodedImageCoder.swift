// SPDX-License-Identifier: Apache-2.0

/// Encodes and decodes images as ``EncodedImage``, with unchanged bytes.
struct EncodedImageCoder: BodyCoder {
    /// Creates a coder.
    init() {}

    /// `image/png`; an image is sent with its own media type.
    var mediaType: MediaType { .png }

    /// Any image.
    var accept: String { "image/*" }

    /// Images only.
    func serves(_ type: any Any.Type) -> Bool { type == EncodedImage.self }

    /// Returns the image's bytes.
    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let image = value as? EncodedImage else { throw CodingProblem("\(type(of: value)) is not an image") }
        return ByteChunk(image.data)
    }

    /// Reads the format and size, regardless of the response's media type.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard let image = try EncodedImage(bytes) as? Value else { throw CodingProblem("\(type) is not an image") }
        return image
    }
}
