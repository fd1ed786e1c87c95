// SPDX-License-Identifier: Apache-2.0

/// Forms, `application/x-www-form-urlencoded`: names and values as in a query.
///
/// Nested values and arrays are written as ``QueryStyle`` says. What is read are texts: a name that comes once is a
/// text, one that comes several times, or ends in `[]`, is an array of texts.
public struct FormCoder: BodyCoder {
    /// How arrays and nested values are written.
    public var style: QueryStyle

    /// Makes a coder.
    public init(style: QueryStyle = QueryStyle()) { self.style = style }

    /// `application/x-www-form-urlencoded`.
    public var mediaType: MediaType { .form }

    /// Writes the members of a value.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard case .object(let members) = try JSON(encoding: value) else {
            throw CodingProblem("a form is made of names and values, which \(type(of: value)) has not")
        }
        let query = Query(members.map { ($0.key, FormCoder.value($0.value)) })
        return ByteChunk(query.encoded(style) ?? "")
    }

    /// Reads names and values.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        let form = Query(parsing: try TextCoder.text(bytes, of: mediaType))
        var order: [String] = []
        var values: [String: (texts: [JSON], isList: Bool)] = [:]
        for item in form.items where !item.name.isEmpty {
            let isList = item.name.hasSuffix("[]")
            let name = isList ? String(item.name.dropLast(2)) : item.name
            if values[name] == nil { order.append(name) }
            values[name, default: ([], false)].texts.append(.string(item.value?.string ?? ""))
            if isList { values[name]?.isList = true }
        }
        let members = order.map { name -> (String, JSON) in
            let (texts, isList) = values[name] ?? ([], false)
            return (name, isList || texts.count > 1 ? .array(texts) : texts.first ?? .null)
        }
        return try JSON.object(JSON.Object(members)).decode(as: type)
    }

    private static func value(_ json: JSON) -> QueryValue {
        switch json {
        case .null: .text("")
        case .bool(let value): .text(value ? "true" : "false")
        case .number(let number): .text(number.text)
        case .string(let text): .text(text)
        case .array(let values): .list(values.map(value))
        case .object(let members):
            .map(members.map { QueryValue.Member(name: $0.key, value: value($0.value)) })
        }
    }
}
