// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The canonical form of a request, which client and service both compute and sign.
package struct AWSCanonicalRequest {
    /// How a path is escaped and normalized.
    package enum PathRule: Sendable {
        /// S3: each byte is escaped once, and nothing is removed: `a//b` and `a/b` are different objects.
        case once
        /// Other services: dot segments and repeated slashes are removed, and the path is escaped once more.
        case normalizedTwice
        /// The path is escaped once more, and nothing is removed.
        case twice
    }

    let text: String
    /// The names of the covered fields: `host;x-amz-date`.
    let signedNames: String

    /// Creates the canonical request from fields with lowercase names, and the payload's digest or keyword.
    init(
        method: String,
        target: String,
        fields: [(name: String, value: String)],
        payload: String,
        path rule: PathRule
    ) {
        let (path, query) = target.cut(at: "?") ?? (target[...], "")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes += method.utf8
        bytes.append(Self.newline)
        Self.append(path: path, rule, to: &bytes)
        bytes.append(Self.newline)
        Self.append(query: query, to: &bytes)
        bytes.append(Self.newline)
        var names = ""
        for (name, values) in Self.sorted(fields) {
            if !names.isEmpty { names += ";" }
            names += name
            bytes += name.utf8
            bytes.append(UInt8(ascii: ":"))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(value: value, to: &bytes)
            }
            bytes.append(Self.newline)
        }
        bytes.append(Self.newline)
        bytes += names.utf8
        bytes.append(Self.newline)
        bytes += payload.utf8
        text = String(decoding: bytes, as: UTF8.self)
        signedNames = names
    }

    private static let newline = UInt8(ascii: "\n")
    private static let slash = UInt8(ascii: "/")

    /// The fields sorted by name; values of the same name keep the message's order.
    private static func sorted(_ fields: [(name: String, value: String)]) -> [(String, [String])] {
        var sorted: [(name: String, values: [String])] = []
        for (name, value) in fields {
            let place = sorted.firstIndex { $0.name >= name } ?? sorted.endIndex
            if place < sorted.endIndex, sorted[place].name == name {
                sorted[place].values.append(value)
            } else {
                sorted.insert((name, [value]), at: place)
            }
        }
        return sorted.map { ($0.name, $0.values) }
    }

    /// Appends a value without blanks at its ends, with runs of blanks collapsed to one.
    private static func append(value: String, to bytes: inout [UInt8]) {
        var isBlank = false
        for byte in value.trimmed.utf8 {
            let isNextBlank = byte == 0x20 || byte == 0x09
            if isNextBlank, isBlank { continue }
            bytes.append(isNextBlank ? 0x20 : byte)
            isBlank = isNextBlank
        }
    }

    private static func append(path: Substring, _ rule: PathRule, to bytes: inout [UInt8]) {
        switch rule {
        case .once:
            AWSEscaping.append(PercentEncoding.decodedBytes(path), keepsSlash: true, to: &bytes)
        case .twice: AWSEscaping.append(path.utf8, keepsSlash: true, to: &bytes)
        case .normalizedTwice:
            var kept: [Substring] = []
            let segments = path.parts(at: "/")
            for segment in segments {
                switch segment {
                case "", ".": continue
                case "..": _ = kept.popLast()
                default: kept.append(segment)
                }
            }
            for segment in kept {
                bytes.append(slash)
                AWSEscaping.append(segment.utf8, keepsSlash: true, to: &bytes)
            }
            if kept.isEmpty || ["", ".", ".."].contains(segments.last ?? "") { bytes.append(slash) }
        }
    }

    private static func append(query: Substring, to bytes: inout [UInt8]) {
        if query.isEmpty { return }
        var items = query.parts(at: "&", omitsEmpty: true).map { item in
            let (name, value) = item.cut(at: "=") ?? (item, "")
            return (AWSEscaping.escapedOnce(name), AWSEscaping.escapedOnce(value))
        }
        items.sort { left, right in
            if left.0 != right.0 { return left.0.lexicographicallyPrecedes(right.0) }
            return left.1.lexicographicallyPrecedes(right.1)
        }
        for (index, (name, value)) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "&")) }
            bytes += name
            bytes.append(UInt8(ascii: "="))
            bytes += value
        }
    }
}
