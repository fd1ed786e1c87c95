// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The text of a JSON Pointer (RFC 6901), and its names.
enum JSONPointer {
    /// The pointer with these names.
    static func text(of names: [String]) -> String {
        var bytes: [UInt8] = []
        for name in names {
            bytes.append(UInt8(ascii: "/"))
            for byte in name.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes += [byte, UInt8(ascii: "0")]
                case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names in a pointer; `nil` for a text that neither is empty nor begins with a slash.
    static func names(_ pointer: String) -> [String]? {
        if pointer.isEmpty { return [] }
        guard pointer.begins(with: "/") else { return nil }
        var pointer = pointer
        return pointer.withUTF8 { bytes in
            var names: [String] = []
            var start = 1
            var isEscaped = false
            for index in 1...bytes.count {
                if index < bytes.count, bytes[index] != UInt8(ascii: "/") {
                    isEscaped = isEscaped || bytes[index] == UInt8(ascii: "~")
                    continue
                }
                let token = bytes[start..<index]
                names.append(isEscaped ? name(token) : String(decoding: token, as: UTF8.self))
                (start, isEscaped) = (index + 1, false)
            }
            return names
        }
    }

    /// Decodes a name: `~1` means a slash, and `~0` a tilde.
    private static func name(_ token: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        var bytes: [UInt8] = []
        var rest = token[...]
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
