// SPDX-License-Identifier: Apache-2.0

/// Encodes and decodes forms, `application/x-www-form-urlencoded`, for your `Codable` types.
///
/// Nested values, arrays and booleans are written as ``QueryStyle`` says, by default the setting
/// ``Resource/Settings/queryStyle``, dates in ISO 8601. When decoding, `a[b]=1` is a member, `a[]=1` an element, `a[0]=1`
/// an element if the indexes are in order, and a repeated name makes an array; texts are converted to numbers, booleans
/// and dates if the type needs them.
public struct FormCoder: BodyCoder {
    /// How arrays, nested values and booleans are written; `nil` writes them as a query of the same request.
    public var style: QueryStyle?

    /// Makes a coder.
    public init(style: QueryStyle? = nil) { self.style = style }

    /// `application/x-www-form-urlencoded`.
    public var mediaType: MediaType { .form }

    /// Encodes the members of a value.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        var strategies = JSON.EncodingStrategies()
        strategies.dates = .iso8601
        guard case .object(let members) = try JSON(encoding: value, strategies: strategies) else {
            throw CodingProblem("a form needs names and values, which \(type(of: value)) doesn't have")
        }
        let query = Query(members.map { ($0.key, FormCoder.value($0.value)) })
        return ByteChunk(query.encoded(style ?? QueryStyle()) ?? "")
    }

    /// Decodes names and values.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        let tree = FormTree()
        for item in Query(parsing: try TextCoder().text(bytes, of: mediaType)).items where !item.name.isEmpty {
            try tree.add(item.value?.string ?? "", at: item.name)
        }
        var strategies = JSON.DecodingStrategies()
        strategies.dates = .iso8601
        return try tree.json.decode(as: type, texts: style?.arrays == .commas ? .commas : .single, strategies)
    }

    private static func value(_ json: JSON) -> QueryValue {
        switch json {
        case .null: .text("")
        case .bool(let value): .bool(value)
        case .number(let number): .text(number.text)
        case .string(let text): .text(text)
        case .array(let values): .list(values.map(value))
        case .object(let members):
            .map(members.map { QueryValue.Member(name: $0.key, value: value($0.value)) })
        }
    }
}
