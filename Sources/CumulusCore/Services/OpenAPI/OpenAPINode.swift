// SPDX-License-Identifier: Apache-2.0

/// A value of an OpenAPI document, and where it is there.
struct OpenAPINode {
    let value: JSON
    /// A JSON pointer (RFC 6901).
    let pointer: String

    /// A member of an object; `nil` where there is none, or `null`.
    subscript(key: String) -> OpenAPINode? {
        guard let value = value.object?[key], !value.isNull else { return nil }
        return OpenAPINode(value: value, pointer: OpenAPINode.pointer(pointer, key))
    }

    /// The members of an object without its extensions; none for anything else.
    var members: [(key: String, node: OpenAPINode)] {
        guard let object = value.object else { return [] }
        return object.compactMap { key, value in
            key.begins(with: "x-") ? nil : (key, OpenAPINode(value: value, pointer: OpenAPINode.pointer(pointer, key)))
        }
    }

    /// The elements of a list; none for anything else.
    var elements: [OpenAPINode] {
        (value.array ?? []).enumerated().map { OpenAPINode(value: $1, pointer: "\(pointer)/\($0)") }
    }

    /// The text of a member; `nil` if it is anything else.
    func text(_ key: String) -> String? { value.object?[key]?.string }

    /// The truth value of a member; `nil` if it is anything else.
    func bool(_ key: String) -> Bool? { value.object?[key]?.bool }

    /// The texts of a member that is a list of them.
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
