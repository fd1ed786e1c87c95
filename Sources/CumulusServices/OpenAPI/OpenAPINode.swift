// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A value in an OpenAPI document, with its place.
struct OpenAPINode {
    let value: JSON
    /// A JSON Pointer (RFC 6901).
    let pointer: String

    /// A member of an object; `nil` if there is none, or `null`.
    subscript(key: String) -> OpenAPINode? {
        guard let value = value.object?[key], !value.isNull else { return nil }
        return OpenAPINode(value: value, pointer: OpenAPINode.pointer(pointer, key))
    }

    /// The members of an object without its extensions; empty for anything else.
    var members: [(key: String, node: OpenAPINode)] {
        guard let object = value.object else { return [] }
        return object.compactMap { key, value in
            key.begins(with: "x-") ? nil : (key, OpenAPINode(value: value, pointer: OpenAPINode.pointer(pointer, key)))
        }
    }

    /// The elements of a list; empty for anything else.
    var elements: [OpenAPINode] {
        (value.array ?? []).enumerated().map { OpenAPINode(value: $1, pointer: "\(pointer)/\($0)") }
    }

    /// A member that is a text; `nil` for anything else.
    func text(_ key: String) -> String? { value.object?[key]?.string }

    /// A member that is a boolean; `nil` for anything else.
    func bool(_ key: String) -> Bool? { value.object?[key]?.bool }

    /// A member that is a list of texts.
    func texts(_ key: String) -> [String] { (value.object?[key]?.array ?? []).compactMap(\.string) }

    private static func pointer(_ place: String, _ key: String) -> String {
        var escaped: [UInt8] = []
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "~"): escaped += "~0".utf8
            case UInt8(ascii: "/"): escaped += "~1".utf8
            default: escaped.append(byte)
            }
        }
        return "\(place)/\(String(decoding: escaped, as: UTF8.self))"
    }
}
