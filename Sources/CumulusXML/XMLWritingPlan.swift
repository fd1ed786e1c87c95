// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusPrimitives
import Foundation
import XMLCoder

/// Writes one value with XMLCoder, which stops the process for some values and writes invalid XML for others.
///
/// For this reason, the value is checked before, as JSON, and the result is parsed afterwards.
struct XMLWritingPlan {
    private let value: any Encodable
    private let rootName: String?

    /// - Throws: ``CodingProblem`` for an invalid root name.
    init(_ value: any Encodable, rootName: String?) throws {
        self.value = value
        self.rootName = rootName
        if let rootName, !XMLWritingPlan.isName(rootName) {
            throw CodingProblem("the root's name \(XMLWritingPlan.shown(rootName)) is not a valid XML name")
        }
    }

    /// - Throws: `EncodingError`, ``CodingProblem``.
    func bytes(from encoder: XMLEncoder) throws -> Data {
        let shape = try shape()
        let escapes = if case .cdata = encoder.stringEncodingStrategy { false } else { true }
        try XMLWritingPlan.check(shape, escapes: escapes)
        let keys = CheckedKeys(encoder)
        let header = XMLHeader(version: 1.0, encoding: "UTF-8")
        let bytes: Data
        switch shape {
        case .object, .array:
            bytes = try encoder.encode(value, withRootKey: root, header: header)
            try keys.check()
            // XMLCoder only returns bytes.
            do {
                _ = try bytes.withUnsafeBytes { try XML(parsing: $0, charset: "utf-8", maximumNodes: .max) }
            } catch {
                throw CodingProblem("the value can't be written as XML: \(error)")
            }
        case .null: throw CodingProblem("nil is not an XML document")
        default:
            // XMLCoder writes scalars only as members: the scalar is read from there, and written by our own writer.
            bytes = try scalar(by: encoder)
            try keys.check()
        }
        return bytes
    }

    /// The value as any coder sees it; `null` also for a value that writes nothing.
    private func shape() throws -> JSON {
        var strategies = JSON.EncodingStrategies()
        // XMLCoder's encoder has a strategy for non-finite floats; non-finite dates can never be written.
        strategies.nonConformingFloats = .convertToString(positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        strategies.dates = .custom { date, encoder in
            guard date.timeIntervalSinceReferenceDate.isFinite else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSinceReferenceDate,
                    .init(codingPath: encoder.codingPath, debugDescription: "this is not a date")
                )
            }
            try date.timeIntervalSinceReferenceDate.encode(to: encoder)
        }
        // As a member, since the value's type may write nothing.
        let shape = try JSON(encoding: Member(name: "value", value: value), strategies: strategies)
        return shape["value"]
    }

    /// The root's name: the requested one, otherwise the type's; `nil` leaves it to XMLCoder, which converts it as a
    /// key.
    private var root: String? {
        if let rootName { return rootName }
        let name = "\(type(of: value))"
        return XMLWritingPlan.isName(name) ? nil : XMLWritingPlan.plain(name)
    }

    private func scalar(by encoder: XMLEncoder) throws -> Data {
        let name = root ?? "\(type(of: value))"
        let whole = try encoder.encode(Member(name: name, value: value), withRootKey: "root")
        let elements = try XML(parsing: whole, charset: "utf-8").elements
        guard var element = elements.first, elements.count == 1 else {
            throw CodingProblem("\(type(of: value)) is not an XML document")
        }
        // A key strategy doesn't change the requested name.
        if let rootName { element.name = rootName }
        return Data(try element.encoded())
    }

    /// The part of a type's name that is a name in XML: `Array` of `Array<Int>`.
    private static func plain(_ name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.prefix { $0 != "<" && $0 != "(" }))
        return isName(plain) ? plain : "root"
    }

    /// Refuses keys that are not names in XML; also a string that contains the end of a CDATA section, if texts are
    /// written as such.
    private static func check(_ value: JSON, escapes: Bool) throws {
        switch value {
        case .object(let members):
            for (key, member) in members {
                // XMLCoder uses the empty key for the text of an element.
                guard key.isEmpty || isName(key) else { throw noName(key) }
                try check(member, escapes: escapes)
            }
        case .array(let elements): for element in elements { try check(element, escapes: escapes) }
        case .string(let text) where !escapes:
            guard XMLWritingPlan.bytes(text, have: "]]>") else { return }
            throw CodingProblem("a CDATA section can't contain ]]>")
        default: break
        }
    }

    private static func bytes(_ text: String, have part: String) -> Bool {
        let (bytes, part) = (Array(text.utf8), Array(part.utf8))
        return bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    fileprivate static func noName(_ key: String) -> CodingProblem {
        CodingProblem("the key \(shown(key)) is not a valid XML name")
    }

    fileprivate static func isName(_ text: String) -> Bool {
        // The writer refuses invalid names.
        (try? XML(text).encoded()) != nil
    }

    private static func shown(_ text: String) -> String { "\"\(PeerText.printable(text, limit: 40))\"" }
}

/// A value as the only member of an object.
private struct Member: Encodable {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let name: String
    let value: any Encodable

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: Key(stringValue: name))
    }
}

/// Records keys that the caller's own strategy made, and that are not names.
private final class CheckedKeys {
    private var wrong: String?

    init(_ encoder: XMLEncoder) {
        guard case .custom(let convert) = encoder.keyEncodingStrategy else { return }
        encoder.keyEncodingStrategy = .custom { path in
            let key = convert(path)
            if !key.stringValue.isEmpty, !XMLWritingPlan.isName(key.stringValue) { self.wrong = key.stringValue }
            return key
        }
    }

    func check() throws {
        if let wrong { throw XMLWritingPlan.noName(wrong) }
    }
}
