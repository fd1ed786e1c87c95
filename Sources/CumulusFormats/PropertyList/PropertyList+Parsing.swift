// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension PropertyList {
    /// How deep lists and dictionaries may be nested.
    static let maximumDepth = 128

    /// Creates a value from a property list, XML or binary.
    ///
    /// - Parameters:
    ///   - bytes: The list.
    ///   - charset: The charset of XML if it is declared outside the document.
    /// - Throws: ``XML/ParsingError``, or `CodingProblem` for bytes that are not a property list.
    public init(parsing bytes: ByteChunk, charset: String? = nil) throws {
        guard !bytes.isEmpty else { throw CodingProblem.emptyBody }
        guard PropertyList.isBinary(bytes) else {
            self = try PropertyList(bytes.withUnsafeBytes { try XML(parsing: $0, charset: charset) })
            return
        }
        self = try bytes.withUnsafeBytes { try BinaryPropertyList($0).value() }
    }

    static func isBinary(_ bytes: ByteChunk) -> Bool {
        bytes.withUnsafeBytes { $0.starts(with: Array("bplist".utf8)) }
    }

    /// Reads the document of an XML property list.
    init(_ document: XML) throws {
        guard document.name == "plist" else {
            throw CodingProblem(
                "the XML's root is \(PeerText.quoted(document.name)), so this is not a property list; "
                    + "use the module CumulusXML to decode types from XML"
            )
        }
        guard let root = document.elements.first, document.elements.count == 1 else {
            throw CodingProblem("a property list must contain exactly one value")
        }
        self = try PropertyList(element: root, depth: 0)
    }

    private init(element: XML, depth: Int) throws {
        guard depth < PropertyList.maximumDepth else { throw CodingProblem("the property list is nested too deeply") }
        switch element.name {
        case "dict": self = .dictionary(try PropertyList.members(of: element, depth: depth))
        case "array": self = .array(try element.elements.map { try PropertyList(element: $0, depth: depth + 1) })
        case "string": self = .string(element.text)
        case "true": self = .bool(true)
        case "false": self = .bool(false)
        case "integer": self = .integer(try PropertyList.integer(element.text))
        case "real":
            guard let value = Double(String(element.text.trimmedOfLines)) else {
                throw CodingProblem("a real value of the property list is not a number")
            }
            self = .real(value)
        case "date":
            guard let value = ISO8601Date.date(String(element.text.trimmedOfLines)) else {
                throw CodingProblem("a date of the property list is not in ISO 8601")
            }
            self = .date(value)
        case "data":
            let text = String(decoding: element.text.utf8.filter { !XMLParser.isSpace($0) }, as: UTF8.self)
            guard let value = Data(base64Encoded: text) else {
                throw CodingProblem("the data of the property list is not in Base64")
            }
            self = .data(value)
        default: throw CodingProblem("a property list can't contain the element \(PeerText.quoted(element.name))")
        }
    }

    private static func members(of element: XML, depth: Int) throws -> [String: PropertyList] {
        let elements = element.elements
        guard elements.count.isMultiple(of: 2) else { throw CodingProblem("a key of the property list has no value") }
        var members: [String: PropertyList] = [:]
        for place in stride(from: 0, to: elements.count, by: 2) {
            guard elements[place].name == "key" else { throw CodingProblem("a value of the property list has no key") }
            members[elements[place].text] = try PropertyList(element: elements[place + 1], depth: depth + 1)
        }
        return members
    }

    private static func integer(_ text: String) throws -> Int128 {
        let text = text.trimmedOfLines.lowercased()
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative || text.utf8.first == UInt8(ascii: "+") ? 1 : 0)
        let isHex = digits.starts(with: "0x".utf8)
        // `UInt64` would accept a second sign.
        let isSigned = digits.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        let value = isSigned ? nil : UInt64(Substring(digits.dropFirst(isHex ? 2 : 0)), radix: isHex ? 16 : 10)
        guard let value, !isNegative || value <= UInt64(Int64.max) + 1 else {
            throw CodingProblem("an integer of the property list doesn't fit in 64 bits")
        }
        return isNegative ? -Int128(value) : Int128(value)
    }
}
