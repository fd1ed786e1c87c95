// SPDX-License-Identifier: Apache-2.0

/// The query of a target that is encoded already.
enum TargetQuery {
    /// A target with an item at the end of its query, unless it has one of that name.
    static func adding(_ value: String, for name: String, to target: String) -> String {
        guard !items(of: target).contains(where: { $0.name == name }) else { return target }
        let separator = !target.has("?") ? "?" : target.ends(with: "?") || target.ends(with: "&") ? "" : "&"
        return "\(target)\(separator)\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }

    /// The items, unescaped as forms are.
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
