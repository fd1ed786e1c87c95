// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A coder of JSON whose fields are mapped by a ``FieldMap``: for one type, alone or in a list.
public struct FieldMappedCoder: BodyCoder {
    /// The map for the fields.
    public var map: FieldMap
    /// The path of the object or list in the body; the whole body by default.
    public var root: FieldPath?

    /// Creates a coder.
    public init(_ map: FieldMap, root: FieldPath? = nil) {
        self.map = map
        self.root = root
    }

    /// `application/json`.
    public var mediaType: MediaType { .json }

    /// Whether a path in the body is set.
    public var findsItems: Bool { root != nil }

    /// Encodes an object, or a list of objects, with the map.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        let json = try JSON(encoding: value)
        let data = try mapped(json) { values, report in try map.write(onto: [:], report) { values[$0] } }
        guard let root else { return ByteChunk(data.encoded()) }
        guard let placed = root.placing(data, in: .null) else {
            throw FieldProblem(
                .shape,
                key: "",
                path: root.description,
                "a value on the path has the wrong type"
            )
        }
        return ByteChunk(placed.encoded())
    }

    /// Decodes an object, or a list of objects, with the map.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        let json = try JSON(body: bytes, of: mediaType)
        guard let data = root.map({ $0.value(in: json) }) ?? json else {
            throw FieldProblem(.missing, key: "", path: root?.description ?? "", "the value is missing")
        }
        return try mapped(data) { data, report in
            var values = JSON.Object()
            try map.read(.object(data), report) { values[$0] = $1 }
            return .object(values)
        }.decode(as: type)
    }

    /// Maps each object; one in a list that fails is reported with its index.
    private func mapped(
        _ json: JSON,
        _ change: (JSON.Object, FieldReport) throws -> JSON
    ) throws -> JSON {
        switch json {
        case .object(let members): return try FieldReport.running(map.strictness) { try change(members, $0) }
        case .array(let elements):
            return try FieldReport.running(map.strictness) { report in
                var changed: [JSON] = []
                for (index, element) in elements.enumerated() {
                    guard let members = element.object else {
                        try report(
                            FieldProblem(.shape, key: "\(index)", path: "\(index)", "the element is not an object")
                        )
                        continue
                    }
                    changed.append(try change(members, report.inside(key: "\(index)", path: "\(index)")))
                }
                return .array(changed)
            }
        default: throw FieldProblem(.shape, key: "", path: "", "the data is neither an object nor a list")
        }
    }
}

extension CoderRegistry {
    /// Registers a map for a type, and for lists of it: `get(as: User.self)`, `get(as: [User].self)`, `post(user)`.
    ///
    /// - Parameters:
    ///   - map: The map for the fields.
    ///   - type: The type.
    ///   - root: The path of the object or list in the body; the whole body by default.
    public mutating func register<Value: Codable>(_ map: FieldMap, for type: Value.Type, root: FieldPath? = nil) {
        register(FieldMappedCoder(map, root: root), for: Value.self, [Value].self)
    }
}
