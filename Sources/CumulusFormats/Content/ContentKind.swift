// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The kinds of content that ``ResponseContent`` has.
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
}
