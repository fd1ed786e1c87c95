// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PreservedState {
    private static let version = 1

    /// Returns the state as bytes: JSON, including its version.
    public func archived() -> Data { Data(json.encoded()) }

    /// Creates a state from archived bytes.
    ///
    /// - Throws: ``PreservedStateProblem`` for invalid bytes, a different version, or fields that can't be sent.
    public init(archived bytes: some Collection<UInt8>) throws(PreservedStateProblem) {
        let start = bytes.prefix(6)
        if start.starts(with: Array("<".utf8)) || start.elementsEqual(Array("bplist".utf8)) {
            throw PreservedStateProblem(
                "the preserved state is a property list; `PreservedState(propertyList:)` of CumulusFormats reads it"
            )
        }
        let json: JSON
        do {
            json = try JSON(parsing: bytes)
        } catch {
            throw PreservedStateProblem("the preserved state is not valid JSON: \(error)")
        }
        try self.init(json)
    }

    var json: JSON {
        var object: JSON.Object = ["version": 1, "includesSecrets": .bool(includesSecrets)]
        object["headers"] = headers.map { headers in
            .array(
                headers.entries.map { entry in
                    [
                        "name": .string(entry.name.text),
                        "values": entry.values.map { .array($0.map(JSON.string)) } ?? .null,
                    ]
                }
            )
        }
        object["query"] = query.map { query in .array(query.items.map(\.json)) }
        return .object(object)
    }

    init(_ json: JSON) throws(PreservedStateProblem) {
        guard let object = json.object else { throw PreservedStateProblem("the preserved state must be an object") }
        guard object["version"]?.int == PreservedState.version else {
            throw PreservedStateProblem("the preserved state has an unknown version; only version 1 is supported")
        }
        self.init(includesSecrets: object["includesSecrets"]?.bool ?? false)
        if let section = object["headers"] { headers = try PreservedState.headers(section) }
        if let section = object["query"] { query = try PreservedState.query(section) }
    }

    private static func headers(_ json: JSON) throws(PreservedStateProblem) -> Headers {
        guard let list = json.array else { throw PreservedStateProblem("the preserved headers must be a list") }
        var entries: [Headers.Entry] = []
        for (index, item) in list.enumerated() {
            guard let name = item["name"].string else { throw PreservedStateProblem("header \(index) has no name") }
            let values = item["values"].array?.compactMap(\.string)
            guard item["values"].isNull || values != nil && values?.count == item["values"].array?.count else {
                throw PreservedStateProblem("header \(index) has values that are not strings")
            }
            entries.append(Headers.Entry(name: Headers.Name(name), values: values))
        }
        return try checked(Headers(entries: entries))
    }

    private static func checked(_ headers: Headers) throws(PreservedStateProblem) -> Headers {
        do {
            _ = try headers.fields()
        } catch {
            throw PreservedStateProblem(error.description)
        }
        return headers
    }

    private static func query(_ json: JSON) throws(PreservedStateProblem) -> Query {
        guard let list = json.array else { throw PreservedStateProblem("the preserved query must be a list") }
        var items: [Query.Item] = []
        for (index, item) in list.enumerated() {
            guard let name = item["name"].string else { throw PreservedStateProblem("query item \(index) has no name") }
            let value = item["value"]
            let verbatim = item["verbatim"].string.map {
                PercentEncoding.complete($0, allowed: PercentEncoding.isQueryByte)
            }
            guard value.isNull || QueryValue(value) != nil else {
                throw PreservedStateProblem("query item \(index) has an invalid value")
            }
            items.append(Query.Item(name: name, value: QueryValue(value), verbatim: verbatim))
        }
        return Query(items: items)
    }
}

extension PreservedState: Codable {
    /// Encodes the state, like ``archived()``.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// Decodes a state that ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws { try self.init(JSON(from: decoder)) }
}

extension Query.Item {
    fileprivate var json: JSON {
        var object: JSON.Object = ["name": .string(name), "value": value?.json ?? .null]
        object["verbatim"] = verbatim.map(JSON.string)
        return .object(object)
    }
}

extension QueryValue {
    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .bool(let value): .bool(value)
        case .list(let values): .array(values.map(\.json))
        case .map(let members):
            ["members": .array(members.map { ["name": .string($0.name), "value": $0.value.json] })]
        }
    }

    fileprivate init?(_ json: JSON) {
        switch json {
        case .string(let text): self = .text(text)
        case .bool(let value): self = .bool(value)
        case .array(let values):
            let parsed = values.compactMap(QueryValue.init)
            guard parsed.count == values.count else { return nil }
            self = .list(parsed)
        case .object(let object):
            guard let members = object["members"]?.array else { return nil }
            let parsed = members.compactMap { member -> Member? in
                guard let name = member["name"].string, let value = QueryValue(member["value"]) else { return nil }
                return Member(name: name, value: value)
            }
            guard parsed.count == members.count else { return nil }
            self = .map(parsed)
        default: return nil
        }
    }
}
