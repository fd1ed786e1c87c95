// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Yams

/// Converts a document's nodes to JSON, and counts them.
struct YAMLReading {
    let maximumDepth: Int
    /// How many more values there may be.
    var count: Int

    mutating func value(of node: Node, depth: Int) throws(YAMLProblem) -> JSON {
        guard depth < maximumDepth else { throw YAMLProblem("the YAML is nested deeper than \(maximumDepth) levels") }
        count -= 1
        guard count >= 0 else { throw YAMLProblem("the YAML has too many values, or aliases that expand to too many") }
        if case .scalar(let scalar) = node { return YAMLReading.scalar(scalar) }
        if case .sequence(let sequence) = node {
            var elements: [JSON] = []
            for element in sequence { elements.append(try value(of: element, depth: depth + 1)) }
            return .array(elements)
        }
        // Later versions of Yams have another kind of node, for unresolved aliases.
        guard case .mapping(let mapping) = node else { throw problem("this is not a value", node) }
        var object = JSON.Object()
        for (key, element) in mapping {
            guard case .scalar(let scalar) = key else { throw problem("a key is not a scalar", key) }
            let name = scalar.string
            if name == "<<", scalar.style == .plain { throw problem("merges (<<) are not read", key) }
            guard object[name] == nil else {
                throw problem("the key \"\(PeerText.printable(name, limit: 80))\" occurs twice", key)
            }
            object[name] = try value(of: element, depth: depth + 1)
        }
        return .object(object)
    }

    private func problem(_ reason: String, _ node: Node) -> YAMLProblem {
        YAMLProblem(node.mark.map { "line \($0.line): \(reason)" } ?? reason)
    }

    /// A plain scalar by YAML 1.2's core schema (section 10.3.2); a quoted one is a text.
    private static func scalar(_ scalar: Node.Scalar) -> JSON {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return number(text) ?? .string(text)
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
        while bytes.first == UInt8(ascii: "0"), isDigit(bytes.dropFirst().first) { bytes.removeFirst() }
        if bytes[0] == UInt8(ascii: ".") { bytes.insert(UInt8(ascii: "0"), at: 0) }
        if bytes.last == UInt8(ascii: ".") { bytes.append(UInt8(ascii: "0")) }
        if isNegative { bytes.insert(UInt8(ascii: "-"), at: 0) }
        guard let json = try? JSON(parsing: bytes), json.number != nil else { return nil }
        return json
    }
}
