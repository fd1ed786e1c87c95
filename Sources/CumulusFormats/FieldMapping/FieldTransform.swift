// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts a field's value between a service's data and your type, in both directions.
public struct FieldTransform: Sendable {
    enum Kind: Sendable {
        case object(FieldMap)
        case list(FieldMap)
        case value(read: @Sendable (JSON) throws -> JSON, write: @Sendable (JSON) throws -> JSON)
    }

    let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// Creates a transform from two functions; neither is called with `null`.
    ///
    /// - Parameters:
    ///   - read: Converts the service's value to the value that your type decodes.
    ///   - write: Converts the value that your type encodes to the service's value.
    public init(
        read: @escaping @Sendable (JSON) throws -> JSON,
        write: @escaping @Sendable (JSON) throws -> JSON
    ) { kind = .value(read: read, write: write) }

    /// Creates a transform for an object with its own map.
    public static func object(_ map: FieldMap) -> FieldTransform { FieldTransform(.object(map)) }

    /// Creates a transform for a list of objects with their own map.
    public static func list(_ map: FieldMap) -> FieldTransform { FieldTransform(.list(map)) }

    /// A transform between ISO 8601 in the data and a `Date` in your type; fractions of a second are read and written
    /// to the millisecond.
    public static let iso8601Date = FieldTransform(
        read: { json in
            guard let text = json.string, let date = ISO8601Date.date(text) else {
                throw CodingProblem("it is not an ISO 8601 date")
            }
            return try JSON(encoding: date)
        },
        write: { json in
            guard let text = ISO8601Date.text(try json.decode(as: Date.self)) else {
                throw CodingProblem("the date is outside the years 0 to 9999")
            }
            return .string(text)
        }
    )

    /// A transform between seconds since 1970 in the data and a `Date` in your type.
    public static let secondsSince1970 = FieldTransform(
        read: { json in
            guard let seconds = json.double, seconds.isFinite else {
                throw CodingProblem("it is not a number of seconds")
            }
            return try JSON(encoding: Date(timeIntervalSince1970: seconds))
        },
        write: { json in
            let seconds = try json.decode(as: Date.self).timeIntervalSince1970
            if let whole = Int64(exactly: seconds) { return .number(JSON.Number(whole)) }
            return JSON.Number(seconds).map(JSON.number) ?? .null
        }
    )

    /// A transform between a URL as text in the data and a `URL` in your type; invalid text fails with the field's
    /// name.
    public static let url = FieldTransform(
        read: { json in
            guard let text = json.string, URL(string: text) != nil else { throw CodingProblem("it is not a URL") }
            return json
        },
        write: { json in
            // `URL` encodes itself as an object or a text, depending on the encoder.
            .string(try json.decode(as: URL.self).absoluteString)
        }
    )
}
