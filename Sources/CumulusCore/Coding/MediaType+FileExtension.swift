// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension MediaType {
    /// Creates the usual media type of files with an extension; `nil` if the extension is unknown.
    ///
    /// The type comes from a small table of common types, based on IANA's registry and on the formats' own
    /// specifications.
    ///
    /// - Parameter fileExtension: The extension, with or without its dot, in either case.
    public init?(fileExtension: String) {
        let name = fileExtension.dropping(".").lowercased()
        guard let type = MediaType.byExtension[name] else { return nil }
        self = type
    }

    /// Returns the usual media type of a file, from its path's extension; `nil` if the extension is missing or unknown.
    public static func ofFile(_ path: String) -> MediaType? {
        let name = path.parts(at: "/", omitsEmpty: true).last ?? ""
        guard let (before, behind) = name.cut(atLast: "."), !before.isEmpty else { return nil }
        return MediaType(fileExtension: String(behind))
    }

    fileprivate static let byExtension: [String: MediaType] = [
        "txt": MediaType("text", "plain"), "text": MediaType("text", "plain"), "log": MediaType("text", "plain"),
        "csv": MediaType("text", "csv"), "md": MediaType("text", "markdown"), "html": .html, "htm": .html,
        "css": MediaType("text", "css"), "js": MediaType("text", "javascript"), "mjs": MediaType("text", "javascript"),
        "ics": MediaType("text", "calendar"), "vcf": MediaType("text", "vcard"), "json": .json,
        "geojson": MediaType("application", "geo+json"), "jsonl": MediaType("application", "jsonl"),
        "xml": .xml, "plist": MediaType("application", "x-plist"), "yaml": MediaType("application", "yaml"),
        "yml": MediaType("application", "yaml"), "toml": MediaType("application", "toml"),
        "pdf": MediaType("application", "pdf"), "rtf": MediaType("application", "rtf"),
        "zip": MediaType("application", "zip"), "gz": MediaType("application", "gzip"),
        "tar": MediaType("application", "x-tar"), "zst": MediaType("application", "zstd"),
        "wasm": MediaType("application", "wasm"), "epub": MediaType("application", "epub+zip"),
        "doc": MediaType("application", "msword"), "xls": MediaType("application", "vnd.ms-excel"),
        "docx": MediaType("application", "vnd.openxmlformats-officedocument.wordprocessingml.document"),
        "xlsx": MediaType("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        "pptx": MediaType("application", "vnd.openxmlformats-officedocument.presentationml.presentation"),
        "odt": MediaType("application", "vnd.oasis.opendocument.text"),
        "png": .png, "jpg": MediaType("image", "jpeg"), "jpeg": MediaType("image", "jpeg"),
        "gif": MediaType("image", "gif"), "webp": MediaType("image", "webp"), "avif": MediaType("image", "avif"),
        "heic": MediaType("image", "heic"), "bmp": MediaType("image", "bmp"), "tif": MediaType("image", "tiff"),
        "tiff": MediaType("image", "tiff"), "svg": MediaType("image", "svg+xml"),
        "ico": MediaType("image", "vnd.microsoft.icon"), "mp3": MediaType("audio", "mpeg"),
        "m4a": MediaType("audio", "mp4"), "ogg": MediaType("audio", "ogg"), "opus": MediaType("audio", "ogg"),
        "wav": MediaType("audio", "vnd.wave"), "flac": MediaType("audio", "flac"), "mp4": MediaType("video", "mp4"),
        "m4v": MediaType("video", "mp4"), "mov": MediaType("video", "quicktime"), "webm": MediaType("video", "webm"),
        "mpeg": MediaType("video", "mpeg"), "woff": MediaType("font", "woff"), "woff2": MediaType("font", "woff2"),
        "ttf": MediaType("font", "ttf"), "otf": MediaType("font", "otf"),
    ]
}

extension MediaType {
    /// The usual file extension of this type, without the dot; `nil` for an unknown type.
    var fileExtension: String? {
        // The usual one of several extensions for one type.
        let usual = ["text/plain": "txt", "text/html": "html", "text/javascript": "js", "image/jpeg": "jpg"]
        if let known = usual[essence] { return known }
        guard essence != "application/octet-stream" else { return nil }
        return MediaType.byExtension.filter { $0.value.essence == essence }.map(\.key).min {
            ($0.count, $0) < ($1.count, $1)
        }
    }
}

extension MediaType {
    /// Creates the media type that a body's first bytes indicate: an image type, JSON, XML or a property list; `nil`
    /// for other content.
    public init?(sniffing bytes: ByteChunk) {
        let start = bytes.withUnsafeBytes { Array($0.prefix(256)) }
        if let format = EncodedImage.Format(sniffing: start) { self = format.mediaType; return }
        if start.starts(with: Array("bplist".utf8)) { self = .propertyList; return }
        let mark: [UInt8] = start.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let text = start.dropFirst(mark.count).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { text.starts(with: Array($0.utf8)) }) {
            self = .xml
        } else if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
            self = .json
        } else {
            return nil
        }
    }
}
