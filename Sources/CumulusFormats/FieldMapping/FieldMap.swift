// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// Maps the fields of your type to paths in a service's data, for data whose structure doesn't match your type.
///
///     let map: FieldMap = [
///         .field("name", at: "user.name"),
///         .field("since", at: "user.created_at", .iso8601Date),
///         .field("tags", at: "tags", .list([.field("label", at: "text")])),
///     ]
///     let user = try map.decode(User.self, from: json)
///     site.setRules { $0.coders.register(map, for: User.self) }
///
/// A map works in both directions. It produces the members that your type decodes with the default strategies of
/// `JSONCoder`; ``FieldTransform/iso8601Date`` and similar transforms convert dates.
public struct FieldMap: Sendable {
    /// How a map treats a field that can't be mapped.
    public enum Strictness: Sendable {
        /// The first problem is thrown as an error.
        case strict
        /// The field is omitted, and the function is called with the problem.
        case lenient(@Sendable (FieldProblem) -> Void)

        /// The field is omitted silently.
        public static var lenient: Strictness { .lenient { _ in } }
    }

    /// A field: its key, its path, and its transform.
    public struct Item: Sendable {
        /// The field's key in your type.
        public let key: String
        /// The path of the value in the data.
        public let path: FieldPath
        /// The transform of the value.
        public let transform: FieldTransform?
        /// Whether the field may be missing, in either direction.
        public let isOptional: Bool

        /// Creates an item; by default its path is the data's member of the same name.
        public init(key: String, path: FieldPath? = nil, transform: FieldTransform? = nil, isOptional: Bool = false) {
            self.key = key
            self.path = path ?? FieldPath(member: key)
            self.transform = transform
            self.isOptional = isOptional
        }

        /// Creates a required field.
        ///
        /// An invalid path is used as the name of one member.
        public static func field(_ key: String, at path: String, _ transform: FieldTransform? = nil) -> Item {
            Item(key: key, path: (try? FieldPath(parsing: path)) ?? FieldPath(member: path), transform: transform)
        }

        /// Creates an optional field.
        ///
        /// An invalid path is used as the name of one member.
        public static func optional(_ key: String, at path: String, _ transform: FieldTransform? = nil) -> Item {
            let path = (try? FieldPath(parsing: path)) ?? FieldPath(member: path)
            return Item(key: key, path: path, transform: transform, isOptional: true)
        }
    }

    /// The fields of the map; other fields are not mapped.
    public var items: [Item]
    /// How a field that can't be mapped is treated; strict by default.
    ///
    /// It also applies to the maps inside this one.
    public var strictness = Strictness.strict

    /// Creates a map from fields.
    public init(_ items: [Item]) { self.items = items }
}

extension FieldMap: ExpressibleByArrayLiteral {
    /// Creates a map from fields.
    public init(arrayLiteral items: Item...) { self.items = items }
}

extension FieldMap {
    /// Creates a value from a service's data.
    ///
    /// - Throws: `FieldProblem`, or `DecodingError` if the type can't be decoded from the fields.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: JSON) throws -> Value {
        try JSON.object(values(from: data)).decode(as: type)
    }

    /// Creates a service's data from a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - data: The data to put the fields into; members that the map doesn't name are kept.
    /// - Returns: The data.
    /// - Throws: `FieldProblem`, or `EncodingError`.
    public func encode(_ value: some Encodable, onto data: JSON = [:]) throws -> JSON {
        let json = try JSON(encoding: value)
        guard let values = json.object else {
            throw FieldProblem(.shape, key: "", path: "", "\(type(of: value)) has no fields")
        }
        return try self.data(from: values, onto: data)
    }

    /// Returns the fields of a service's data by their keys, in the map's order.
    ///
    /// - Throws: `FieldProblem`, unless the map is lenient.
    public func values(from data: JSON) throws -> JSON.Object {
        var values = JSON.Object()
        try FieldReport.running(strictness) { try read(data, $0) { values[$0] = $1 } }
        return values
    }

    /// Passes the fields of a service's data to your own object, one by one.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - set: Receives a key and its value; any error that it throws is reported for that field.
    /// - Throws: `FieldProblem`, unless the map is lenient.
    public func read(_ data: JSON, set: (_ key: String, _ value: JSON) throws -> Void) throws {
        try FieldReport.running(strictness) { try read(data, $0, set) }
    }

    /// Puts fields into a service's data.
    ///
    /// - Parameters:
    ///   - values: The fields by their keys.
    ///   - data: The data to put the fields into.
    /// - Returns: The data.
    /// - Throws: `FieldProblem`, unless the map is lenient.
    public func data(from values: JSON.Object, onto data: JSON = [:]) throws -> JSON {
        try FieldReport.running(strictness) { try write(onto: data, $0) { values[$0] } }
    }

    /// Gets the fields from your own object, one by one, and puts them into a service's data.
    ///
    /// - Parameters:
    ///   - data: The data to put the fields into.
    ///   - get: Returns the value of a key; `nil` if there is none.
    /// - Returns: The data.
    /// - Throws: `FieldProblem`, unless the map is lenient.
    public func write(onto data: JSON = [:], get: (_ key: String) throws -> JSON?) throws -> JSON {
        try FieldReport.running(strictness) { try write(onto: data, $0, get) }
    }
}
