// SPDX-License-Identifier: Apache-2.0

import CumulusCore

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
    /// Decodes any value.
    ///
    /// Coders other than the property list coder decode dates and bytes in their own format.
    public init(from decoder: any Decoder) throws {
        if let whole = CodingUserInfoKey.propertyList.flatMap({ decoder.userInfo[$0] }) as? PropertyList {
            self = try PropertyList(at: decoder.codingPath, in: whole)
            return
        }
        self = try PropertyList(JSON(from: decoder))
    }

    /// The value of JSON, which has no `null` here.
    private init(_ json: JSON) throws {
        switch json {
        case .null: throw CodingProblem("a property list can't contain null")
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .number(let value):
            if let integer = try? json.decode(as: Int64.self) {
                self = .integer(Int128(integer))
            } else if let integer = try? json.decode(as: UInt64.self) {
                self = .integer(Int128(integer))
            } else {
                self = .real(value.double)
            }
        case .array(let values): self = .array(try values.map { try PropertyList($0) })
        case .object(let values):
            self = .dictionary(
                try Dictionary(values.map { ($0.key, try PropertyList($0.value)) }) { $1 }
            )
        }
    }

    private init(at path: [any CodingKey], in whole: PropertyList) throws {
        self = try path.reduce(whole) { list, key in
            guard let value = key.intValue.flatMap({ list[$0] }) ?? list[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    .init(codingPath: path, debugDescription: "The value is missing.")
                )
            }
            return value
        }
    }

    /// Encodes the value, with dates and bytes in the coder's format.
    public func encode(to encoder: any Encoder) throws {
        // Foundation's encoder overflows the stack at some depth, and no parser reads what is nested so deeply.
        guard encoder.codingPath.count < PropertyList.maximumDepth else {
            throw CodingProblem("the property list is nested too deeply")
        }
        switch self {
        case .dictionary(let values):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in values { try container.encode(value, forKey: Name(stringValue: name)) }
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
                throw CodingProblem("a property list can't contain a number of more than 64 bits")
            }
        case .array, .dictionary: break
        }
    }
}

/// The name of a value in a dictionary.
private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
