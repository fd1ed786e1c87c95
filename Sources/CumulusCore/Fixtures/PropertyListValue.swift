// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whatever a property list holds.
enum PropertyListValue: Decodable, Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case date(Date)
    case data(Data)
    case list([PropertyListValue])
    case map([String: PropertyListValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let real = try? value.decode(Double.self) {
            self = .real(real)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let date = try? value.decode(Date.self) {
            self = .date(date)
        } else if let data = try? value.decode(Data.self) {
            self = .data(data)
        } else if let list = try? value.decode([PropertyListValue].self) {
            self = .list(list)
        } else {
            self = .map(try value.decode([String: PropertyListValue].self))
        }
    }

    /// The value as JSON: dates in ISO 8601, data in Base64, keys sorted; data of a whole fixture is its bytes.
    func json(isTop: Bool = false) -> JSON {
        switch self {
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .number(JSON.Number(integer))
        case .real(let real): JSON.Number(real).map(JSON.number) ?? .null
        case .text(let text): .string(text)
        case .date(let date): .string(date.formatted(.iso8601))
        case .data(let data): .string(data.base64EncodedString())
        case .list(let list): .array(list.map { $0.json() })
        case .map(let map):
            .object(
                JSON.Object(
                    map.sorted { $0.key < $1.key }.map { key, value in
                        if isTop, case .data = value { return (key, JSON.object(["bytes": value.json()])) }
                        return (key, value.json())
                    }
                )
            )
        }
    }
}
