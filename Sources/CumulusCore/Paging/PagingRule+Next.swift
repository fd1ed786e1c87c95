// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The place of the next page, as a page indicates it.
enum NextPage: Sendable, Hashable {
    /// A URL, absolute or relative to the page's.
    case link(String)
    /// A query item for the same place.
    case query(String, String)
}

extension PagingRule {
    /// The place of the page after this one, which has this many items; `nil` at the end.
    func next(after page: PageContent, count: Int) throws(PagingProblem) -> NextPage? {
        let json = page.json ?? .null
        switch source {
        case .automatic: return found(page)
        case .links: return page.response.nextLink
        case .header(let name, nil): return page.response.headers[name].flatMap(NextPage.init(link:))
        case .header(let name, let query?): return page.response.headers[name].flatMap { .init(cursor: $0, in: query) }
        case .bodyLink(let paths): return NextPage(linkAt: paths, in: json)
        case .cursor(let path, let query, let more):
            if let more, more.value(in: json)?.bool == false { return nil }
            guard let value = path.value(in: json) else { return nil }
            return try NextPage(cursor: value, at: path, in: query)
        case .lastItem(let path, let query, let more):
            if let more, more.value(in: json)?.bool == false { return nil }
            guard count > 0, let last = try items(in: json).last else { return nil }
            guard let value = path.value(in: last) else {
                throw PagingProblem(.invalidCursor, "the last item has nothing at \"\(path)\", its cursor")
            }
            return try NextPage(cursor: value, at: path, in: query)
        case .pageNumber(let query, let first, let last):
            let number = page.number(query) ?? first
            let end = try last?.count(in: json)
            return end.map { number < $0 } ?? (count > 0) ? .query(query, number, plus: 1) : nil
        case .offset(let query, let total):
            let offset = page.number(query) ?? 0
            let isEnd = try total?.count(in: json).map { $0 - count <= offset }
            return count == 0 || isEnd == true ? nil : .query(query, offset, plus: count)
        }
    }

    private func found(_ page: PageContent) -> NextPage? {
        if let link = page.response.nextLink { return link }
        if let field = page.response.headers["Next-Page"] { return NextPage(link: field) }
        guard let json = page.json else { return nil }
        for rule in [PagingRule.odata, .hal, .jsonAPI] {
            if case .bodyLink(let paths) = rule.source, let link = NextPage(linkAt: paths, in: json) { return link }
        }
        // A string that is not a URL may be a cursor, but it is unknown how to send it.
        let next = json["next"].string ?? ""
        return ["https:", "http:", "/", "?"].contains(where: next.begins) ? .link(next) : nil
    }
}

extension NextPage {
    fileprivate init?(link text: String) {
        if text.isEmpty { return nil }
        self = .link(text)
    }

    fileprivate init?(cursor text: String, in query: String) {
        // Many services send 0 if there are no more pages.
        if text.isEmpty || text == "0" { return nil }
        self = .query(query, text)
    }

    fileprivate init?(cursor value: JSON, at path: FieldPath, in query: String) throws(PagingProblem) {
        switch value {
        case .null, .bool(false): return nil
        case .string(let text): self.init(cursor: text, in: query)
        case .number(let number): self.init(cursor: number.text, in: query)
        case .bool, .array, .object:
            throw PagingProblem(
                .invalidCursor,
                "the value at \"\(path)\" is not a cursor: neither a string nor a number"
            )
        }
    }

    /// The first link in a body: a text, or an object with `href`.
    fileprivate init?(linkAt paths: [FieldPath], in json: JSON) {
        for path in paths {
            let value = path.value(in: json) ?? .null
            if let text = value.string ?? value["href"].string, !text.isEmpty {
                self = .link(text)
                return
            }
        }
        return nil
    }

    /// A number in the query; `nil` if it would be too large.
    fileprivate static func query(_ name: String, _ number: Int, plus step: Int) -> NextPage? {
        let (next, isTooLarge) = number.addingReportingOverflow(step)
        return isTooLarge ? nil : .query(name, String(next))
    }
}

extension Response {
    fileprivate var nextLink: NextPage? { links["next"].map { .link($0.url?.description ?? $0.target) } }
}

extension PageContent {
    /// The number in the request's query.
    fileprivate func number(_ name: String) -> Int? {
        response.request.url.queryItems[name]?.queryValue.string.flatMap(Int.init)
    }
}

extension FieldPath {
    /// A number in a body; `nil` if there is none.
    fileprivate func count(in json: JSON) throws(PagingProblem) -> Int? {
        guard let value = value(in: json), !value.isNull else { return nil }
        guard let count = value.int ?? value.string.flatMap(Int.init), count >= 0 else {
            throw PagingProblem(.invalidCursor, "the value at \"\(self)\" is not a count of pages or items")
        }
        return count
    }
}
