// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(ImageIO)
public import CoreGraphics
import ImageIO
#endif

/// An image as received: its bytes are unchanged, and its format is determined by the first bytes.
///
/// Nothing is decompressed, and only those first bytes are checked. As a payload, it is sent with its own media type.
public struct EncodedImage: Sendable, Hashable {
    /// The bytes.
    public let data: Data
    /// The format, determined by the first bytes.
    public let format: Format

    /// Creates an image from bytes, and determines the format.
    ///
    /// - Throws: ``CodingProblem`` for bytes that don't begin like an image of a known format.
    public init(_ bytes: ByteChunk) throws {
        guard !bytes.isEmpty else { throw CodingProblem.emptyBody }
        guard let format = bytes.withUnsafeBytes({ Format(sniffing: Array($0.prefix(32))) }) else {
            throw CodingProblem("the bytes are not an image in a known format")
        }
        self.format = format
        data = bytes.data
    }

    /// Creates an image from bytes, and determines the format.
    ///
    /// - Throws: ``CodingProblem``, as the other initializer does.
    public init(_ bytes: some ByteStorage) throws { try self.init(ByteChunk(bytes)) }

    /// The format's media type.
    public var mediaType: MediaType { format.mediaType }

    #if canImport(ImageIO)
    /// The image decoded by ImageIO; `nil` if ImageIO can't decode it.
    public var cgImage: CGImage? {
        CGImageSourceCreateWithData(data as CFData, nil).flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }
    }
    #endif
}

extension EncodedImage: Codable {
    /// Creates an image from the coder's bytes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(try container.decode(Data.self))
        } catch let problem as CodingProblem {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem.description)
        }
    }

    /// Passes the bytes to the coder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

extension EncodedImage: Redacted {
    /// The format and length.
    public var description: String { "\(format) of \(data.count) bytes" }
}
