// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A scalar of a YAML document, with what decides its meaning.
struct ScalarNode {
    let text: String
    let tag: String?
    /// Whether it has no quotes and isn't a block.
    let isPlain: Bool

    /// Whether it asks for a merge as a key, which YAML 1.2 no longer has.
    var isMerge: Bool { isPlain && tag == nil && text == "<<" }

    /// A plain scalar by YAML 1.2's core schema (section 10.3.2); one that is quoted or tagged `!!str` is a text.
    var value: JSON {
        guard isPlain, tag != "!", tag != "tag:yaml.org,2002:str" else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return ScalarNode.number(text) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> JSON? {
        var bytes = Array(text.utf8)
        if bytes.starts(with: "0x".utf8) { return Int64(text.dropFirst(2), radix: 16).map { JSON($0) } }
        if bytes.starts(with: "0o".utf8) { return Int64(text.dropFirst(2), radix: 8).map { JSON($0) } }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        let isDigit = { (byte: UInt8?) in byte.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }
        guard isDigit(bytes.first) || bytes.first == UInt8(ascii: ".") && isDigit(bytes.dropFirst().first) else {
            return nil
        }
        // YAML allows leading zeros and bare dots, which JSON doesn't.
        let zeros = bytes.dropLast().prefix { $0 == UInt8(ascii: "0") }.count
        bytes.removeFirst(isDigit(bytes.dropFirst(zeros).first) ? zeros : max(0, zeros - 1))
        if bytes[0] == UInt8(ascii: ".") { bytes.insert(UInt8(ascii: "0"), at: 0) }
        if bytes.last == UInt8(ascii: ".") { bytes.append(UInt8(ascii: "0")) }
        if isNegative { bytes.insert(UInt8(ascii: "-"), at: 0) }
        guard let json = try? JSON(parsing: bytes), json.number != nil else { return nil }
        return json
    }
}
