// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A page's response, as a rule reads it.
struct PageContent: Sendable {
    let response: Response
    /// The body, if it is an object, or if the rule looks into it.
    let json: JSON?

    /// Parses the body as far as a rule needs it: a list whose next page is in a header isn't parsed twice.
    init(_ response: Response, for rule: PagingRule) throws {
        self.response = response
        let first = response.bytes.withUnsafeBytes { bytes in
            bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).first { $0 > 0x20 }
        }
        let isObject = first == UInt8(ascii: "{")
        guard isObject || rule.readsItems && first == UInt8(ascii: "[") else {
            json = nil
            return
        }
        json = try Stage.run(.decoding, .decoding, request: response.request, response: response) {
            try JSON(body: response.bytes, of: response.mediaType)
        }
    }

    /// The page's items.
    ///
    /// - Throws: ``CumulusError``.
    func items<Item: Decodable>(of type: Item.Type, by rule: PagingRule) throws -> [Item] {
        // Only this status says that there are no items; elsewhere, the list is missing.
        if response.bytes.isEmpty, response.statusCode == 204 { return [] }
        return try Stage.run(.decoding, .decoding, request: response.request, response: response) {
            if response.bytes.isEmpty {
                throw PagingProblem(.noItems, "the page has no body, but its status is \(response.statusCode), not 204")
            }
            guard let json, !response.coders.readsWhole([Item].self) else {
                return try response.coders.decode([Item].self, from: response.bytes, labeled: response.label)
            }
            let items = try rule.items(in: json)
            return try response.coders.decode(
                [Item].self,
                from: .array(items),
                of: response.bytes,
                labeled: response.label
            )
        }
    }
}

extension PagingRule {
    /// Whether the items are needed as JSON.
    fileprivate var readsItems: Bool {
        if itemPath != nil { return true }
        if case .lastItem = source { return true }
        return false
    }

    /// The items of a body, as JSON.
    func items(in json: JSON) throws(PagingProblem) -> [JSON] {
        if let itemPath {
            guard let value = itemPath.value(in: json) else {
                throw PagingProblem(.noItems, "the page has no value at \"\(itemPath)\", where the items should be")
            }
            return try PagingRule.array(value, at: itemPath)
        }
        guard let members = json.object else { return try PagingRule.array(json, at: nil) }
        if source == PagingRule.odata.source, let found = odataItems(members) { return found }
        // An empty HAL page may omit `_embedded`.
        if source == PagingRule.hal.source, members["_embedded"] == nil { return [] }
        if let embedded = members["_embedded"]?.object, let only = PagingRule.onlyArray(of: embedded) { return only }
        for name in PagingRule.itemNames {
            if let found = members[name]?.array { return found }
        }
        if let only = PagingRule.onlyArray(of: members) { return only }
        let names = members.keys.prefix(10).map { "\"\(PeerText.printable($0, limit: 40))\"" }
        throw PagingProblem(
            .ambiguousItems,
            "it isn't clear which of the body's members contains the items (\(names.joined(separator: ", ")))"
        )
    }

    /// The usual names of the items.
    private static let itemNames = ["data", "items", "results", "value"]

    /// The name of an object's only array, if nothing but that makes it the items.
    static func guessedItems(in members: JSON.Object) -> String? {
        if members["_embedded"]?.object != nil || itemNames.contains(where: { members[$0]?.array != nil }) {
            return nil
        }
        let names = members.filter { $0.value.array != nil }.map(\.key)
        return names.count == 1 && members.count > 1 ? names[0] : nil
    }

    private func odataItems(_ members: JSON.Object) -> [JSON]? {
        members["value"]?.array ?? members["d"]?.array ?? members["d"]?.object?["results"]?.array
    }

    private static func array(_ value: JSON, at path: FieldPath?) throws(PagingProblem) -> [JSON] {
        if let array = value.array { return array }
        if path != nil, value.isNull { return [] }
        let place = path.map { "the value at \"\($0)\"" } ?? "the body"
        throw PagingProblem(.noItems, "\(place) should be an array of items, but is not")
    }

    private static func onlyArray(of members: JSON.Object) -> [JSON]? {
        let arrays = members.values.compactMap(\.array)
        return arrays.count == 1 ? arrays[0] : nil
    }
}
