// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The kinds of content with built-in coders.
enum ContentKind: Sendable, Hashable {
    case json, jsonLines, text, form, propertyList, xml, image
}

extension ContentKind {
    /// The kind of a media type; `nil` for an unknown one.
    init?(_ type: MediaType) {
        switch type.essence {
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
            self = .jsonLines
        case MediaType.form.essence: self = .form
        case "application/x-plist", "application/x-apple-plist", "text/x-plist": self = .propertyList
        case "application/xml", "text/xml": self = .xml
        case _ where type.isJSON: self = .json
        case _ where type.subtype.ends(with: "+xml"): self = .xml
        case _ where type.type == "image" && EncodedImage.Format.allCases.contains { $0.names(type) }: self = .image
        case _ where type.type == "text": self = .text
        default: return nil
        }
    }

    /// The kind of a file extension; `nil` for an unknown one.
    init?(fileExtension name: String) {
        switch name {
        case "json": self = .json
        case "ndjson", "jsonl": self = .jsonLines
        case "txt", "text", "html", "htm", "csv": self = .text
        case "plist": self = .propertyList
        case "xml": self = .xml
        case _ where EncodedImage.Format.allCases.contains { $0.fileExtensions.contains(name) }: self = .image
        default: return nil
        }
    }

    /// The kind that the first bytes indicate, except text; `nil` if they indicate none.
    init?(sniffing bytes: ByteChunk) {
        let start = bytes.withUnsafeBytes { Array($0.prefix(256)) }
        if EncodedImage.Format(sniffing: start) != nil { self = .image; return }
        if start.starts(with: Array("bplist".utf8)) { self = .propertyList; return }
        let mark: [UInt8] = start.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let text = start.dropFirst(mark.count).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if text.starts(with: Array("<?xml".utf8)) || text.starts(with: Array("<!DOCTYPE plist".utf8)) {
            self = .xml
        } else if text.starts(with: Array("<plist".utf8)) {
            self = .xml
        } else if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
            self = .json
        } else {
            return nil
        }
    }

    /// The media type that a coder of this kind is registered for.
    var mediaType: MediaType? {
        switch self {
        case .json: .json
        case .jsonLines: .jsonLines
        case .text: .text
        case .form: .form
        case .propertyList: .propertyList
        case .xml: .xml
        case .image: nil
        }
    }
}
