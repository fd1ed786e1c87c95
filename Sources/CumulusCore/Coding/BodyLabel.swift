// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The context of a response's body: its media type, and the request's target and `Accept`.
public struct BodyLabel: Sendable {
    /// The `Content-Type`.
    public let mediaType: MediaType?
    /// Path and query of the request.
    let target: String
    /// The request's `Accept`.
    let accept: String?

    /// The extension of the request's path, in lower case and without its dot.
    public var fileExtension: String? { BodyLabel.fileExtension(of: target) }

    /// The media types that the request accepts, in order of preference (RFC 9110 section 12.5.1).
    public var acceptedTypes: [MediaType] {
        let types = (accept ?? "").parts(at: ",").compactMap { MediaType(parsing: String($0)) }
        let weighed = types.map { (type: $0, weight: $0["q"].flatMap { Double($0) } ?? 1) }.filter { $0.weight > 0 }
        // Sorting is not stable, so the position decides between equals.
        return weighed.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.type)
    }

    /// The extension of the last segment of a path; `nil` if it has none.
    static func fileExtension(of target: String) -> String? {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point != name.startIndex else { return nil }
        let suffix = name[name.index(after: point)...]
        return suffix.isEmpty ? nil : String(Substring(suffix)).lowercased()
    }
}
