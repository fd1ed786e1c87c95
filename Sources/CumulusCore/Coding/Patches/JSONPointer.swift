// SPDX-License-Identifier: Apache-2.0

/// The text of a JSON Pointer (RFC 6901), and its names.
enum JSONPointer {
    /// A pointer with a name appended.
    static func appending(_ name: String, to pointer: String) -> String {
        var bytes = Array(pointer.utf8)
        bytes.append(UInt8(ascii: "/"))
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): bytes += Array("~0".utf8)
            case UInt8(ascii: "/"): bytes += Array("~1".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names in a pointer; `nil` for a text that neither is empty nor begins with a slash.
    static func names(_ pointer: String) -> [String]? {
        if pointer.isEmpty { return [] }
        guard pointer.begins(with: "/") else { return nil }
        return pointer.parts(at: "/").dropFirst().map(name)
    }

    /// Decodes a name: `~1` means a slash, and `~0` a tilde.
    private static func name(_ token: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = token.utf8[...]
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "~")
            switch rest.first {
            case UInt8(ascii: "1") where isEscape: bytes.append(UInt8(ascii: "/"))
            case UInt8(ascii: "0") where isEscape: bytes.append(byte)
            default:
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The index of an element: digits without a leading zero (RFC 6901 section 4).
    static func index(_ name: String) -> Int? {
        guard !name.isEmpty, name.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            name == "0" || !name.begins(with: "0")
        else { return nil }
        return Int(name)
    }
}
