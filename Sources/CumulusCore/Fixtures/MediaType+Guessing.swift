// SPDX-License-Identifier: Apache-2.0

extension MediaType {
    private static let byExtension: [String: MediaType] = [
        "json": .json, "xml": .xml, "html": .html, "htm": .html, "txt": .text, "text": .text,
        "md": MediaType("text", "markdown"),
        "csv": MediaType("text", "csv"), "css": MediaType("text", "css"), "js": MediaType("text", "javascript"),
        "png": .png, "jpg": MediaType("image", "jpeg"), "jpeg": MediaType("image", "jpeg"),
        "gif": MediaType("image", "gif"), "webp": MediaType("image", "webp"), "svg": MediaType("image", "svg+xml"),
        "tif": MediaType("image", "tiff"), "tiff": MediaType("image", "tiff"), "bmp": MediaType("image", "bmp"),
        "avif": MediaType("image", "avif"), "ico": MediaType("image", "vnd.microsoft.icon"),
        "pdf": MediaType("application", "pdf"), "zip": MediaType("application", "zip"),
        "gz": MediaType("application", "gzip"), "yaml": MediaType("application", "yaml"),
        "yml": MediaType("application", "yaml"), "plist": MediaType("application", "x-plist"),
        "mp3": MediaType("audio", "mpeg"), "mp4": MediaType("video", "mp4"), "wasm": MediaType("application", "wasm"),
    ]

    /// The type of a file by the extension of its name; `nil` for one that is not known.
    init?(ofFileNamed path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        guard let type = MediaType.byExtension[name[name.index(after: dot)...].lowercased()] else { return nil }
        self = type
    }

    /// The type of an image by what it begins with; `nil` for what is none.
    init?(ofImage bytes: ByteChunk) {
        let start = bytes.withUnsafeBytes { [UInt8]($0.prefix(12)) }
        let kinds: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "png"), ([0xFF, 0xD8, 0xFF], "jpeg"),
            (Array("GIF87a".utf8), "gif"), (Array("GIF89a".utf8), "gif"), (Array("BM".utf8), "bmp"),
            ([0x49, 0x49, 0x2A, 0x00], "tiff"), ([0x4D, 0x4D, 0x00, 0x2A], "tiff"),
        ]
        if let kind = kinds.first(where: { start.starts(with: $0.0) }) {
            self.init("image", kind.1)
        } else if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).elementsEqual(Array("WEBP".utf8)) {
            self.init("image", "webp")
        } else {
            return nil
        }
    }
}
