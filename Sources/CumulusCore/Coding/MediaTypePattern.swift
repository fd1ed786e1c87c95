// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A pattern of media types, in which `*` matches any characters: `application/vnd.acme.*+json`.
struct MediaTypePattern: Sendable, Hashable {
    private let parts: [[UInt8]]

    /// `nil` for a name that needs no pattern: a full one, a suffix, `image/*`, `*/*`.
    init?(_ name: String) {
        guard name.has("*"), name != "*/*" else { return nil }
        let isRange = name.ends(with: "/*") && !Substring(name.utf8.dropLast(2)).has("*")
        if isRange { return nil }
        parts = name.parts(at: "*").map { Array($0.utf8) }
    }

    /// Whether the full name of a media type matches.
    func matches(_ essence: String) -> Bool {
        let text = Array(essence.utf8)
        guard let first = parts.first, let last = parts.last, text.starts(with: first),
            text.count >= first.count + last.count, text.suffix(last.count).elementsEqual(last)
        else { return false }
        var start = first.count
        let end = text.count - last.count
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            // The first match leaves the most text for the other parts.
            let places = start...max(start, end - part.count)
            guard start + part.count <= end, let place = places.first(where: { text[$0...].starts(with: part) }),
                place + part.count <= end
            else { return false }
            start = place + part.count
        }
        return true
    }
}

extension MediaTypePattern: CustomStringConvertible {
    /// The pattern as it was written.
    var description: String { parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "*") }
}
