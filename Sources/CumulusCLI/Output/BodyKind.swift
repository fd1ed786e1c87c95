// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The kind of a body for printing: how its media type is formatted or colored.
enum BodyKind {
    case json
    case xml
    case html
    /// JSON texts, one per line.
    case jsonLines
    /// Server-sent events.
    case events
    case other

    private static let lineTypes: Set<String> = [
        "x-ndjson", "ndjson", "json-seq", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines",
    ]

    init(_ type: MediaType?) {
        self =
            switch type {
            case nil: .other
            case let type? where type.isJSON || type.subtype.begins(with: "x-amz-json-"): .json
            case let type? where type.subtype == "xml" || type.subtype.ends(with: "+xml"): .xml
            case let type? where type.essence == "text/html": .html
            case let type? where BodyKind.lineTypes.contains(type.subtype): .jsonLines
            case let type? where type.essence == "text/event-stream": .events
            default: .other
            }
    }
}
