// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Single values: the input that each Swift type accepts.

extension JSONValueDecoder {
    @inline(__always)
    func bool(_ value: JSON, at step: JSONPathStep) throws -> Bool {
        guard case .bool(let bool) = value else {
            if let bool = session.bool(ofText: value) { return bool }
            throw mismatch(Bool.self, value, at: step)
        }
        return bool
    }

    @inline(__always)
    func string(_ value: JSON, at step: JSONPathStep) throws -> String {
        guard case .string(let string) = value else { throw mismatch(String.self, value, at: step) }
        return string
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ value: JSON, at step: JSONPathStep) throws -> T {
        guard let number = value.number ?? session.number(ofText: value) else {
            throw mismatch(T.self, value, at: step)
        }
        guard let integer = number.integer(T.self) else {
            throw corrupted("Number \(number.shown) does not fit in \(T.self).", at: step)
        }
        return integer
    }

    func float<T: BinaryFloatingPoint & LosslessStringConvertible>(_ value: JSON, at step: JSONPathStep) throws -> T {
        switch value {
        case .number(let number):
            let float: T =
                switch number.storage {
                case .signed(let integer): T(integer)
                case .unsigned(let integer): T(integer)
                case .double(let double): T(double)
                // Parsed from the text, so that a `Float` isn't rounded twice.
                case .text(let text): T(text) ?? .infinity
                }
            // Like Foundation, refuses underflow as well as overflow.
            guard float.isFinite, !float.isZero || number.integer(Int.self) == 0 else {
                throw corrupted("Number \(number.shown) is not representable in \(T.self).", at: step)
            }
            return float
        case .string(let string):
            if let number = session.number(ofText: value) { return try float(.number(number), at: step) }
            guard case .convertFromString(let positive, let negative, let nan) = session.strategies.nonConformingFloats
            else { throw mismatch(T.self, value, at: step) }
            if string == positive { return .infinity }
            if string == negative { return -.infinity }
            if string == nan { return .nan }
            throw mismatch(T.self, value, at: step)
        default:
            throw mismatch(T.self, value, at: step)
        }
    }

    /// Decodes any type; those of Foundation by the strategies.
    func unwrap<T: Decodable>(_ value: JSON, as type: T.Type, at step: JSONPathStep) throws -> T {
        let special: Any
        if type == Date.self {
            special = try date(value, at: step)
        } else if type == Data.self {
            special = try data(value, at: step)
        } else if type == URL.self {
            guard let url = URL(string: try string(value, at: step)) else {
                throw corrupted("Invalid URL string.", at: step)
            }
            special = url
        } else if type == Decimal.self {
            special = try decimal(value, at: step)
        } else if session.convertsKeys, type is any JSONStringKeyed.Type, case .object = value {
            return try T(
                from: JSONValueDecoder(value, key: step, parent: self, session: session, literalKeys: true)
            )
        } else if case .array(let elements) = value, let array = plainArray(elements, as: type) {
            return array
        } else {
            return try T(from: child(value, at: step))
        }
        guard let special = special as? T else { throw mismatch(T.self, value, at: step) }
        return special
    }

    /// Decodes the most common arrays of plain values, without calling the decoder for each element.
    ///
    /// Returns nil for another type, and if an element doesn't fit: then the general path finds the error.
    @inline(__always)
    private func plainArray<T>(_ elements: [JSON], as type: T.Type) -> T? {
        if type == [String].self {
            return JSON.all(elements) { if case .string(let string) = $0 { string } else { nil } } as? T
        }
        if type == [Int].self {
            return JSON.all(elements) { (element) -> Int? in
                guard case .number(let number) = element, case .signed(let integer) = number.storage else { return nil }
                return Int(exactly: integer)
            } as? T
        }
        if type == [Double].self {
            return JSON.all(elements) { (element) -> Double? in try? float(element, at: .none) } as? T
        }
        return nil
    }

    private func date(_ value: JSON, at step: JSONPathStep) throws -> Date {
        let date = try anyDate(value, at: step)
        // Foundation traps even when it prints a date that is NaN.
        guard date.timeIntervalSinceReferenceDate.isFinite else { throw corrupted("This is not a date.", at: step) }
        return date
    }

    private func anyDate(_ value: JSON, at step: JSONPathStep) throws -> Date {
        switch session.strategies.dates {
        case .deferredToDate:
            return try Date(from: child(value, at: step))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try float(value, at: step))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try float(value, at: step) / 1000)
        case .iso8601:
            let text = try string(value, at: step)
            guard let date = ISO8601Date.date(text) else {
                throw corrupted("Expected date string to be ISO8601-formatted.", at: step)
            }
            return date
        case .custom(let decode):
            return try decode(child(value, at: step))
        }
    }

    private func data(_ value: JSON, at step: JSONPathStep) throws -> Data {
        switch session.strategies.data {
        case .base64: break
        case .deferredToData: return try Data(from: child(value, at: step))
        case .custom(let decode): return try decode(child(value, at: step))
        }
        guard let data = Data(base64Encoded: try string(value, at: step)) else {
            throw corrupted("Encountered Data is not valid Base64.", at: step)
        }
        return data
    }

    private func decimal(_ value: JSON, at step: JSONPathStep) throws -> Decimal {
        guard let number = value.number ?? session.number(ofText: value) else {
            throw mismatch(Decimal.self, value, at: step)
        }
        guard let decimal = Decimal(string: number.text) else {
            throw corrupted("Number \(number.shown) is not representable in Decimal.", at: step)
        }
        return decimal
    }
}

extension JSON {
    /// Transforms all elements; nil if one becomes nil.
    @inline(__always)
    fileprivate static func all<Element>(_ elements: [JSON], _ convert: (JSON) -> Element?) -> [Element]? {
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for element in elements {
            guard let converted = convert(element) else { return nil }
            result.append(converted)
        }
        return result
    }
}
