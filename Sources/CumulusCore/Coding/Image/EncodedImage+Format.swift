// SPDX-License-Identifier: Apache-2.0

extension EncodedImage {
    /// The file format.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Portable Network Graphics.
        case png
        /// JPEG.
        case jpeg
        /// GIF.
        case gif
        /// TIFF of either byte order.
        case tiff
        /// WebP: lossy, lossless, or extended.
        case webp
        /// Windows bitmap.
        case bmp
        /// HEIF with HEVC.
        case heic
        /// HEIF with AV1.
        case avif
    }
}

extension EncodedImage.Format {
    /// The format's media type.
    public var mediaType: MediaType { MediaType("image", rawValue) }

    /// The file extensions of this format, with the usual one first.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .tiff: ["tiff", "tif"]
        case .heic: ["heic", "heif"]
        case .png, .gif, .webp, .bmp, .avif: [rawValue]
        }
    }

    /// Whether a media type names this format.
    public func names(_ type: MediaType) -> Bool {
        guard type.type == "image" else { return false }
        if type.subtype == rawValue { return true }
        return switch self {
        case .jpeg: ["jpg", "pjpeg"].contains(type.subtype)
        case .bmp: ["x-bmp", "x-ms-bmp"].contains(type.subtype)
        case .heic: ["heif", "heic-sequence", "heif-sequence"].contains(type.subtype)
        default: false
        }
    }

    /// The format that the first bytes indicate; `nil` for any other.
    init?(sniffing start: [UInt8]) {
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else if start.starts(with: Array("BM".utf8)), start.count >= 18,
            [12, 40, 52, 56, 64, 108, 124].contains(start[14])
        {
            self = .bmp
        } else if start.dropFirst(4).starts(with: Array("ftyp".utf8)), start.count >= 12 {
            switch String(decoding: start[8..<12], as: UTF8.self) {
            case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1": self = .heic
            case "avif", "avis": self = .avif
            default: return nil
            }
        } else {
            return nil
        }
    }
}
