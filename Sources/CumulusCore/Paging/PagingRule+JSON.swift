// SPDX-License-Identifier: Apache-2.0

extension PagingRule {
    /// The rule as in a service's description: a word, or an object with the word as `rule` and its parameters.
    public var json: JSON {
        var object = JSON.Object()
        object["rule"] = .string(word)
        switch source {
        case .automatic, .links: break
        case .header(let name, let query):
            object["field"] = .string(name)
            object["query"] = query.map(JSON.string)
        case .bodyLink(let paths): object["at"] = word == "link" ? .string(paths[0].description) : nil
        case .cursor(let path, let query, let more), .lastItem(let path, let query, let more):
            object["at"] = .string(path.description)
            object["query"] = .string(query)
            object["more"] = more.map { .string($0.description) }
        case .pageNumber(let query, let first, let last):
            object["query"] = query == "page" ? nil : .string(query)
            if first != 1 { object["first"] = JSON(first) }
            object["last"] = last.map { .string($0.description) }
        case .offset(let query, let total):
            object["query"] = query == "offset" ? nil : .string(query)
            object["total"] = total.map { .string($0.description) }
        }
        object["items"] = itemPath.map { .string($0.description) }
        object["origins"] = origins.isEmpty ? nil : .array(origins.map(\.description).sorted().map(JSON.string))
        return object.count == 1 ? .string(word) : .object(object)
    }

    /// The rule's word in descriptions.
    private var word: String {
        switch source {
        case .automatic: "automatic"
        case .links: "links"
        case .header: "header"
        case .bodyLink:
            switch source {
            case PagingRule.hal.source: "hal"
            case PagingRule.jsonAPI.source: "jsonAPI"
            case PagingRule.odata.source: "odata"
            default: "link"
            }
        case .cursor: "cursor"
        case .lastItem: "last"
        case .pageNumber: "page"
        case .offset: "offset"
        }
    }
}
