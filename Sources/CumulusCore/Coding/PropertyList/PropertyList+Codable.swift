// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CodingUserInfoKey {
    /// The list that is decoded: Foundation's decoder doesn't tell a real from an integer, nor `nil` from `$null`.
    static let propertyList = CodingUserInfoKey(rawValue: "Cumulus.PropertyList")
}

extension PropertyList: Codable {
    /// Decodes any value; coders other than that of property lists decode dates and bytes in their own format.
    public init(from decoder: any Decoder) throws {
        if let whole = CodingUserInfoKey.propertyList.flatMap({ decoder.userInfo[$0] }) as? PropertyList {
            self = try PropertyList(at: decoder.codingPath, in: whole)
            return
        }
        try decoder.checkDepth()
        if let scalar = decoder.loneText.flatMap({ try? PropertyList.scalar(of: $0) }) {
            self = scalar
        } else if let container = try? decoder.container(keyedBy: JSONCodingKey.self) {
            var values: [String: PropertyList] = [:]
            for key in container.allKeys {
                values[key.stringValue] = try container.decode(PropertyList.self, forKey: key)
            }
            self = .dictionary(values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [PropertyList] = []
            while !container.isAtEnd { values.append(try container.decode(PropertyList.self)) }
            self = .array(values)
        } else {
            self = try PropertyList.scalar(of: decoder.singleValueContainer())
        }
    }

    private init(at path: [any CodingKey], in whole: PropertyList) throws {
        self = try path.reduce(whole) { list, key in
            guard let value = key.intValue.flatMap({ list[$0] }) ?? list[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    .init(codingPath: path, debugDescription: "There is no such value.")
                )
            }
            return value
        }
    }

    private static func scalar(of container: any SingleValueDecodingContainer) throws -> PropertyList {
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(Int128(value)) }
        if let value = try? container.decode(UInt64.self) { return .integer(Int128(value)) }
        if let value = try? container.decode(Double.self) { return .real(value) }
        return .string(try container.decode(String.self))
    }

    /// Encodes the value, with dates and bytes in the coder's format.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .dictionary(let values):
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for (name, value) in values { try container.encode(value, forKey: JSONCodingKey(stringValue: name)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(to: &container)
        }
    }

    private func encodeScalar(to container: inout some SingleValueEncodingContainer) throws {
        switch self {
        case .string(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .integer(let value):
            if let value = Int64(exactly: value) {
                try container.encode(value)
            } else if let value = UInt64(exactly: value) {
                try container.encode(value)
            } else {
                throw CodingProblem("a property list has no number of more than 64 bits")
            }
        case .array, .dictionary: break
        }
    }
}
