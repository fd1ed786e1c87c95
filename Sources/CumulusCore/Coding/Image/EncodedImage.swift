// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(ImageIO)
public import CoreGraphics
public import ImageIO
#endif

/// An image as received: its bytes are unchanged, and its format and size are read from its header.
///
/// Nothing is decompressed, and no memory is allocated for the size that the header claims. As a payload it is sent
/// with its own media type.
public struct EncodedImage: Sendable, Hashable {
    /// The bytes.
    public let data: Data
    /// The format, determined by the first bytes.
    public let format: Format
    /// The pixels in a row, as stored: EXIF rotation is ignored.
    public let width: Int
    /// The number of rows.
    public let height: Int

    /// Reads the format and size.
    ///
    /// - Throws: ``CodingProblem`` for bytes that are not an image of a known format, end before the size, or claim no
    ///   pixels.
    public init(_ bytes: ByteChunk) throws {
        guard !bytes.isEmpty else { throw CodingProblem.emptyBody }
        (format, width, height) = try bytes.withUnsafeBytes { bytes in
            guard let format = Format(sniffing: Array(bytes.prefix(32))) else {
                throw CodingProblem("the bytes are not an image in a known format")
            }
            let size = try ImageHead(bytes).size(of: format)
            guard size.width > 0, size.height > 0 else {
                throw CodingProblem("the \(format) claims to be \(size.width) by \(size.height) pixels large")
            }
            return (format, size.width, size.height)
        }
        data = bytes.data
    }

    /// Reads the format and size.
    ///
    /// - Throws: ``CodingProblem``, as the other initializer does.
    public init(_ bytes: some ByteStorage) throws { try self.init(ByteChunk(bytes)) }

    /// The format's media type.
    public var mediaType: MediaType { format.mediaType }

    #if canImport(ImageIO)
    /// The image decoded by ImageIO; `nil` if that refuses it.
    public var cgImage: CGImage? {
        CGImageSourceCreateWithData(data as CFData, nil).flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }
    }
    #endif
}

extension EncodedImage: SelfNaming {}

extension EncodedImage: Codable {
    /// Takes the bytes from the coder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(try container.decode(Data.self))
        } catch let problem as CodingProblem {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem.description)
        }
    }

    /// Gives the coder the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

extension EncodedImage: CustomStringConvertible, CustomReflectable {
    /// Format, size and length.
    public var description: String { "\(format) of \(width) by \(height) pixels, \(data.count) bytes" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["image": description]) }
}
