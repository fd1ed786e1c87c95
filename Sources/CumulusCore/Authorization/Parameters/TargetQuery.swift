// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Reads and extends the query of an encoded target.
enum TargetQuery {
    /// The target with an item appended to its query, unless it already has one of that name.
    static func adding(_ value: String, for name: String, to target: String) -> String {
        guard !items(of: target).contains(where: { $0.name == name }) else { return target }
        let separator = !target.has("?") ? "?" : target.ends(with: "?") || target.ends(with: "&") ? "" : "&"
        return "\(target)\(separator)\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }

    /// The items, decoded as in forms.
    static func items(of target: String) -> [(name: String, value: String)] {
        guard let query = target.cut(at: "?")?.behind else { return [] }
        return query.parts(at: "&", omitsEmpty: true).map { item in
            let (name, value) = item.cut(at: "=") ?? (item, "")
            return (decoded(name), decoded(value))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedBytes(of: bytes), as: UTF8.self)
    }
}
