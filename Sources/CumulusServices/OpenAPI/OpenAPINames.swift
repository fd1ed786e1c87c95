// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Creates unique names.
struct OpenAPINames {
    private var taken: Set<String> = []
    private var counts: [String: Int] = [:]

    /// The name, with a number appended if it is taken.
    mutating func unique(_ name: String) -> String {
        if taken.insert(name).inserted { return name }
        var number = counts[name] ?? 1
        while true {
            number += 1
            counts[name] = number
            let numbered = "\(name)_\(number)"
            if taken.insert(numbered).inserted { return numbered }
        }
    }

    /// Converts a text to the name of a template variable: letters, digits and single underscores; `value` if nothing
    /// is left.
    static func word(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8.prefix(200) {
            let isWord = PercentEncoding.isUnreserved(byte) && !"-.~".utf8.contains(byte)
            if isWord {
                bytes.append(byte)
            } else if let last = bytes.last, last != UInt8(ascii: "_") {
                bytes.append(UInt8(ascii: "_"))
            }
        }
        while bytes.last == UInt8(ascii: "_"), text.utf8.last != UInt8(ascii: "_") { bytes.removeLast() }
        return bytes.isEmpty ? "value" : String(decoding: bytes, as: UTF8.self)
    }

    /// Converts a text to the name of a template variable that is written as this text: other bytes are escaped.
    static func variable(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8.prefix(200) {
            PercentEncoding.append(byte, to: &bytes) { PercentEncoding.isUnreserved($0) && !"-.~".utf8.contains($0) }
        }
        return bytes.isEmpty ? "value" : String(decoding: bytes, as: UTF8.self)
    }

    /// The name of an operation without an identifier: `get_users_id`.
    static func operation(_ method: String, _ path: String) -> String { "\(method)_\(word(path))" }
}
