// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Single values: the output of each Swift type.

extension JSONValueEncoder {
    func float<T: BinaryFloatingPoint & LosslessStringConvertible>(_ value: T, at step: JSONPathStep) throws -> JSON {
        if value.isFinite { return JSON(finite: value) }
        guard let text = session.strategies.text(ofNonConforming: value) else {
            throw invalid(value, "JSON can't represent the number \(value).", at: step)
        }
        return .string(text)
    }

    /// Encodes any type; those of Foundation by the strategies.
    ///
    /// Only the outermost value, with `whole`, must encode something.
    func wrap<T: Encodable>(_ value: T, at step: JSONPathStep, whole: Bool = false) throws -> JSON {
        if T.self == Date.self, let date = value as? Date { return try wrap(date, at: step) }
        if T.self == Data.self, let data = value as? Data {
            switch session.strategies.data {
            case .base64: return .string(data.base64EncodedString())
            case .deferredToData: break
            case .custom(let encode):
                let encoder = child(at: step)
                try encode(data, encoder)
                return encoder.finished()
            }
        }
        if T.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
        if T.self == Decimal.self, let decimal = value as? Decimal {
            guard let number = JSON.Number(text: decimal.description) else {
                throw invalid(value, "JSON can't represent the number \(decimal).", at: step)
            }
            return .number(number)
        }
        if let array = plainArray(value) { return array }
        let encoder = child(at: step)
        if session.convertsKeys, value is any JSONStringKeyed {
            try value.encode(to: JSONLiteralKeyEncoder(encoder))
        } else {
            try value.encode(to: encoder)
        }
        if whole, encoder.isEmpty { throw invalid(value, "Top-level \(T.self) did not encode any values.", at: step) }
        return encoder.finished()
    }

    /// Encodes the most common arrays of plain values, without an encoder for each element.
    @inline(__always)
    private func plainArray<T: Encodable>(_ value: T) -> JSON? {
        if T.self == [String].self, let strings = value as? [String] { return .array(strings.map(JSON.string)) }
        if T.self == [Int].self, let integers = value as? [Int] {
            return .array(integers.map { .number(JSON.Number(storage: .signed(Int64($0)))) })
        }
        if T.self == [Double].self, let doubles = value as? [Double], doubles.allSatisfy(\.isFinite) {
            return .array(doubles.map { .number(JSON.Number(storage: .double($0))) })
        }
        return nil
    }

    private func wrap(_ date: Date, at step: JSONPathStep) throws -> JSON {
        switch session.strategies.dates {
        case .deferredToDate: return try float(date.timeIntervalSinceReferenceDate, at: step)
        case .secondsSince1970: return try float(date.timeIntervalSince1970, at: step)
        case .millisecondsSince1970: return try float(date.timeIntervalSince1970 * 1000, at: step)
        case .iso8601:
            guard let text = ISO8601Date.text(date) else {
                throw invalid(date.timeIntervalSince1970, "The date is outside the years 0 to 9999.", at: step)
            }
            return .string(text)
        case .custom(let encode):
            let encoder = child(at: step)
            try encode(date, encoder)
            return encoder.finished()
        }
    }

    private func invalid(_ value: Any, _ text: String, at step: JSONPathStep) -> EncodingError {
        let path = codingPath + (step.key.map { [$0] } ?? [])
        return .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: text))
    }
}

extension JSON {
    /// Creates a number from a floating-point value that is neither infinite nor NaN.
    init<T: BinaryFloatingPoint & LosslessStringConvertible>(finite value: T) {
        if let double = value as? Double {
            self = .number(Number(storage: .double(double)))
        } else {
            // Its own text: converted to `Double`, a `Float` has more digits.
            self = Number(text: Number.text(of: value.description)).map(JSON.number) ?? .null
        }
    }
}

extension JSON.EncodingStrategies {
    /// The string for an infinity or NaN, or `nil` if they are refused.
    func text(ofNonConforming value: some BinaryFloatingPoint) -> String? {
        guard case .convertToString(let positive, let negative, let nan) = nonConformingFloats else { return nil }
        return value.isNaN ? nan : value < 0 ? negative : positive
    }
}

/// Encodes a dictionary, whose keys are data, while the keys of types are converted: its keys stay unchanged.
struct JSONLiteralKeyEncoder: Encoder {
    private let encoder: JSONValueEncoder

    init(_ encoder: JSONValueEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedEncodingContainer(startingObjectOf: encoder, convertsKeys: false))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { encoder }
}
