// SPDX-License-Identifier: Apache-2.0

/// Encodes and decodes forms, `application/x-www-form-urlencoded`, for your `Codable` types.
///
/// Nested values, arrays and booleans are written in a ``QueryStyle``, by default the one in the setting
/// ``Resource/Settings/queryStyle``; dates are written in ISO 8601. When decoding, `a[b]=1` is a member, `a[]=1` is an
/// element, `a[0]=1` is an element if the indexes are in order, and a repeated name becomes an array. Strings are
/// converted to numbers, booleans and dates if the type needs them.
public struct FormCoder: BodyCoder {
    /// The style of arrays, nested values and booleans; `nil` uses the style of the same request's query.
    public var style: QueryStyle?

    /// Creates a coder.
    public init(style: QueryStyle? = nil) { self.style = style }

    /// `application/x-www-form-urlencoded`.
    public var mediaType: MediaType { .form }

    /// Encodes the members of a value.
    ///
    /// An empty array, an empty object and an absent member are not written. A form can't contain an array with such an
    /// element: the other elements would move to its index, or servers would see a gap.
    ///
    /// - Throws: ``CodingProblem`` for a value without members, and for an element without values; the error contains
    ///   its location.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        var strategies = JSON.EncodingStrategies()
        strategies.dates = .iso8601
        guard case .object(let members) = try JSON(encoding: value, strategies: strategies) else {
            throw CodingProblem("a form needs names and values, which \(type(of: value)) doesn't have")
        }
        let query = Query(try members.map { ($0.key, try FormCoder.value($0.value, at: $0.key)) })
        // The setting `queryStyle` is filled in by `CoderRegistry.writingForms`.
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

    private static func value(_ json: JSON, at path: String) throws(CodingProblem) -> QueryValue {
        switch json {
        case .null: return .text("")
        case .bool(let value): return .bool(value)
        case .number(let number): return .text(number.text)
        case .string(let text): return .text(text)
        case .array(let elements):
            var values: [QueryValue] = []
            for (index, element) in elements.enumerated() {
                let place = "\(path)[\(index)]"
                let value = try value(element, at: place)
                guard value.isWritten else {
                    throw CodingProblem("a form can't contain \(place), which has no values and would be omitted")
                }
                values.append(value)
            }
            return .list(values)
        case .object(let members):
            var values: [QueryValue.Member] = []
            for member in members {
                let value = try value(member.value, at: "\(path)[\(member.key)]")
                values.append(QueryValue.Member(name: member.key, value: value))
            }
            return .map(values)
        }
    }
}

extension QueryValue {
    /// Whether a query or form contains it: an empty list and members that are all empty leave no trace.
    fileprivate var isWritten: Bool {
        switch self {
        case .text, .bool: true
        case .list(let values): values.contains(where: \.isWritten)
        case .map(let members): members.contains(where: \.value.isWritten)
        }
    }
}
