// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
    /// The value as JSON: dates in ISO 8601, data in Base64, keys sorted.
    public var json: JSON {
        switch self {
        case .bool(let bool): .bool(bool)
        case .integer(let integer):
            Int64(exactly: integer).map { .number(JSON.Number($0)) }
                ?? JSON.Number(text: String(integer)).map(JSON.number) ?? .null
        case .real(let real): JSON.Number(real).map(JSON.number) ?? .null
        case .string(let text): .string(text)
        case .date(let date): .string(ISO8601Date.text(date) ?? String(date.timeIntervalSince1970))
        case .data(let data): .string(data.base64EncodedString())
        case .array(let list): .array(list.map(\.json))
        case .dictionary(let map):
            .object(
                JSON.Object(
                    map.sorted { $0.key < $1.key }.map { key, value in
                        (key, value.json)
                    }
                )
            )
        }
    }
}
