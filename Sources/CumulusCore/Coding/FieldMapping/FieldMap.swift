// SPDX-License-Identifier: Apache-2.0

/// Which field of your type is where in a service's data: for data that doesn't match your type.
///
///     let map: FieldMap = [
///         .field("name", at: "user.name"),
///         .field("since", at: "user.created_at", .iso8601Date),
///         .field("tags", at: "tags", .list([.field("label", at: "text")])),
///     ]
///     let user = try map.decode(User.self, from: json)
///     site.coders.register(map, for: User.self)
///
/// Both ways: what a map reads it can also write. What it reads are the members that your type decodes with the default
/// strategies of ``JSONCoder``; ``FieldTransform/iso8601Date`` and similar see to dates.
public struct FieldMap: Sendable {
    /// What happens to a field that can't be carried over.
    public enum Strictness: Sendable {
        /// The first one is thrown.
        case strict
        /// It is left out, and told to the function.
        case lenient(@Sendable (FieldProblem) -> Void)

        /// It is left out, silently.
        public static var lenient: Strictness { .lenient { _ in } }
    }

    /// One field: its key, its path, its transform.
    public struct Item: Sendable {
        /// The field's key in your type.
        public let key: String
        /// Where the value is in the data.
        public let path: FieldPath
        /// What changes the value on its way.
        public let transform: FieldTransform?
        /// Whether the field may be missing, on either side.
        public let isOptional: Bool

        /// Names a field; without a path it is the data's member with the same name.
        public init(key: String, path: FieldPath? = nil, transform: FieldTransform? = nil, isOptional: Bool = false) {
            self.key = key
            self.path = path ?? FieldPath(member: key)
            self.transform = transform
            self.isOptional = isOptional
        }

        /// A field that must be there.
        ///
        /// A path that can't be read is taken as the name of one member.
        public static func field(_ key: String, at path: String, _ transform: FieldTransform? = nil) -> Item {
            Item(key: key, path: (try? FieldPath(parsing: path)) ?? FieldPath(member: path), transform: transform)
        }

        /// A field that may be missing.
        ///
        /// A path that can't be read is taken as the name of one member.
        public static func optional(_ key: String, at path: String, _ transform: FieldTransform? = nil) -> Item {
            let path = (try? FieldPath(parsing: path)) ?? FieldPath(member: path)
            return Item(key: key, path: path, transform: transform, isOptional: true)
        }
    }

    /// The fields; what no item names is not carried over.
    public var items: [Item]
    /// What happens to a field that can't be carried over; strict by default.
    ///
    /// It holds for the maps inside this one, too.
    public var strictness = Strictness.strict

    /// Makes a map of fields.
    public init(_ items: [Item]) { self.items = items }
}

extension FieldMap: ExpressibleByArrayLiteral {
    /// Makes a map of fields.
    public init(arrayLiteral items: Item...) { self.items = items }
}

extension FieldMap {
    /// Makes a value of a service's data.
    ///
    /// - Throws: ``FieldProblem``, or `DecodingError` where the fields don't make up the type.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: JSON) throws -> Value {
        try JSON.object(values(from: data)).decode(as: type)
    }

    /// Makes a service's data of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - data: What the fields are put into, so that what the map doesn't name stays.
    /// - Returns: The data.
    /// - Throws: ``FieldProblem``, or `EncodingError`.
    public func encode(_ value: some Encodable, onto data: JSON = [:]) throws -> JSON {
        let json = try JSON(encoding: value)
        guard let values = json.object else {
            throw FieldProblem(.shape, key: "", path: "", "\(type(of: value)) has no fields")
        }
        return try self.data(from: values, onto: data)
    }

    /// The fields of a service's data by their keys, in the map's order.
    ///
    /// - Throws: ``FieldProblem`` unless lenient.
    public func values(from data: JSON) throws -> JSON.Object {
        var values = JSON.Object()
        try FieldReport.running(strictness) { try read(data, $0) { values[$0] = $1 } }
        return values
    }

    /// Hands the fields of a service's data to your own object, one by one.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - set: Takes a key and its value; what it throws is a problem of that field.
    /// - Throws: ``FieldProblem`` unless lenient.
    public func read(_ data: JSON, set: (_ key: String, _ value: JSON) throws -> Void) throws {
        try FieldReport.running(strictness) { try read(data, $0, set) }
    }

    /// Puts fields into a service's data.
    ///
    /// - Parameters:
    ///   - values: The fields by their keys.
    ///   - data: What they are put into.
    /// - Returns: The data.
    /// - Throws: ``FieldProblem`` unless lenient.
    public func data(from values: JSON.Object, onto data: JSON = [:]) throws -> JSON {
        try FieldReport.running(strictness) { try write(onto: data, $0) { values[$0] } }
    }

    /// Asks your own object for its fields, one by one, and puts them into a service's data.
    ///
    /// - Parameters:
    ///   - data: What they are put into.
    ///   - get: Gives the value of a key; `nil` if there is none.
    /// - Returns: The data.
    /// - Throws: ``FieldProblem`` unless lenient.
    public func write(onto data: JSON = [:], get: (_ key: String) throws -> JSON?) throws -> JSON {
        try FieldReport.running(strictness) { try write(onto: data, $0, get) }
    }
}
