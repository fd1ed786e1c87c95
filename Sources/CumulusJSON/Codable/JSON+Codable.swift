// SPDX-License-Identifier: Apache-2.0

// Conversion between `JSON` and your types, without text in between; and `JSON` itself with any coder.

extension JSON {
    /// Decodes your own type from this value, without intermediate text.
    ///
    /// Rules and errors match those of Foundation's `JSONDecoder`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - strategies: The strategies for dates, keys and similar values.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` with its coding path, or any error of the type's own decoding.
    public func decode<T: Decodable>(
        as type: T.Type = T.self,
        strategies: DecodingStrategies = DecodingStrategies()
    ) throws -> T {
        let session = JSONDecodingSession(strategies)
        return try JSONValueDecoder(self, key: .none, parent: nil, session: session).unwrap(self, as: T.self, at: .none)
    }

    /// Creates JSON from your own value, without intermediate text; members have the order in which the value encodes
    /// them.
    ///
    /// Rules and errors match those of Foundation's `JSONEncoder`.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - strategies: The strategies for dates, keys and similar values.
    /// - Throws: `EncodingError` with its coding path, or any error of the value's own encoding.
    public init<T: Encodable>(
        encoding value: T,
        strategies: EncodingStrategies = EncodingStrategies()
    ) throws {
        let session = JSONEncodingSession(strategies)
        self = try JSONValueEncoder(key: .none, parent: nil, session: session).wrap(value, at: .none, whole: true)
    }
}

/// Any string or index as a coding key.
package struct JSONCodingKey: CodingKey, Hashable {
    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    package init(intValue: Int) { self.init(index: intValue, name: String(intValue)) }

    /// The key of an array's element in coding paths.
    init(index: Int) { self.init(index: index, name: "Index \(index)") }

    private init(index: Int, name: String) {
        stringValue = name
        intValue = index
    }

    static let superKey = JSONCodingKey(stringValue: "super")
}

/// One step of a coding path; converted to a key only when the path is read.
enum JSONPathStep {
    case none
    case key(any CodingKey)
    case index(Int)

    var key: (any CodingKey)? {
        switch self {
        case .none: nil
        case .key(let key): key
        case .index(let index): JSONCodingKey(index: index)
        }
    }
}

extension JSON: Decodable {
    /// Decodes any value.
    ///
    /// Coders from other modules provide numbers only as `Int64`, `UInt64` or `Double`, members in their own order, and
    /// values nested at most 32 levels deep.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.value
            return
        }
        try decoder.checkDepth()
        if let scalar = decoder.loneText.flatMap({ try? Self.scalar(of: $0) }) {
            self = scalar
        } else if let container = try? decoder.container(keyedBy: JSONCodingKey.self) {
            var object = Object()
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSON.self, forKey: key) }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var array: [JSON] = []
            while !container.isAtEnd { array.append(try container.decode(JSON.self)) }
            self = .array(array)
        } else {
            self = try Self.scalar(of: decoder.singleValueContainer())
        }
    }

    private static func scalar(of container: any SingleValueDecodingContainer) throws -> JSON {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let integer = try? container.decode(Int64.self) { return .number(Number(integer)) }
        if let integer = try? container.decode(UInt64.self) { return .number(Number(integer)) }
        if let double = try? container.decode(Double.self), let number = Number(double) { return .number(number) }
        return .string(try container.decode(String.self))
    }
}

extension Decoder {
    /// The container of a string that presents itself as an object with an empty key, nested without end, as coders of
    /// XML do.
    var loneText: (any SingleValueDecodingContainer)? {
        guard let keys = try? container(keyedBy: JSONCodingKey.self).allKeys, keys.count == 1,
            keys[0].stringValue.isEmpty
        else { return nil }
        return try? singleValueContainer()
    }

    /// Throws if another module's coder nests values deeper than 32 levels.
    ///
    /// Some return the same value nested within itself without end, and each level takes some 10 KiB of the stack, of
    /// which a thread may have only 512 KiB.
    func checkDepth() throws {
        guard codingPath.count > 32 else { return }
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Values are nested too deeply."))
    }
}

extension JSON: Encodable {
    /// Encodes the value; coders from other modules receive numbers that aren't 64-bit integers as `Double`.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONValueEncoder {
            encoder.set(self)
            return
        }
        if let encoder = encoder as? JSONTextEncoder {
            encoder.encode(self)
            return
        }
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for (key, value) in object { try container.encode(value, forKey: JSONCodingKey(stringValue: key)) }
        case .array(let array):
            var container = encoder.unkeyedContainer()
            for value in array { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(to: &container)
        }
    }

    private func encodeScalar(to container: inout some SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let bool): try container.encode(bool)
        case .string(let string): try container.encode(string)
        case .number(let number):
            switch number.storage {
            case .signed(let integer): try container.encode(integer)
            case .unsigned(let integer): try container.encode(integer)
            case .double, .text: try container.encode(number.double)
            }
        default: try container.encodeNil()
        }
    }
}
