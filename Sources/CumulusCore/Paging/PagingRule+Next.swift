// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
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
        case .automatic: return try found(page)
        case .links: return page.response.nextLink
        case .header(let name, nil): return page.response.headers[name].flatMap(NextPage.init(link:))
        case .header(let name, let query?): return page.response.headers[name].flatMap { .init(cursor: $0, in: query) }
        case .bodyLink(let paths): return try NextPage(linkAt: paths, in: json)
        case .cursor(let path, let query, let more):
            if let more, more.value(in: json)?.bool == false { return nil }
            guard let value = path.value(in: json) else { return nil }
            return try NextPage(cursor: value, at: path, in: query)
        case .lastItem(let path, let query, let more):
            if let more, more.value(in: json)?.bool == false { return nil }
            guard count > 0, let last = try items(in: json).last else { return nil }
            guard let value = path.value(in: last) else {
                throw PagingProblem(
                    .invalidCursor,
                    "the last item has no value at \"\(path)\", where its cursor should be"
                )
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
}

extension NextPage {
    init?(link text: String) {
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
                "the cursor at \"\(path)\" must be a string or a number"
            )
        }
    }

    /// The first link in a body, at one of these paths.
    ///
    /// - Throws: ``PagingProblem`` if there is something else than a link, which must not be taken for the end.
    init?(linkAt paths: [FieldPath], in json: JSON) throws(PagingProblem) {
        for path in paths {
            guard let value = path.value(in: json), let link = try NextPage.link(value, at: path) else { continue }
            self = .link(link)
            return
        }
        return nil
    }

    /// The URL of a link: a text, an object with `href`, or an array of one of these; `nil` for one that says that
    /// there is no next page.
    private static func link(_ value: JSON, at path: FieldPath) throws(PagingProblem) -> String? {
        switch value {
        case .null, .bool(false), .string(""): return nil
        case .string(let text): return try expanded(text, at: path)
        case .object(let link):
            switch link["href"] {
            case .string(let text)?: return text.isEmpty ? nil : try expanded(text, at: path)
            case .null?: return nil
            default: break
            }
        case .array(let links):
            // HAL allows several links of one relation; they lead to the same page unless they differ.
            var found: Set<String> = []
            for link in links {
                if link.array == nil, let text = try self.link(link, at: path) { found.insert(text) }
            }
            if found.count == 1 { return found.first }
            if links.allSatisfy(\.isNull) { return nil }
            if found.count > 1 {
                throw PagingProblem(
                    .unknownForm,
                    "there are \(found.count) different links to a next page at \"\(path)\""
                )
            }
        case .bool, .number: break
        }
        throw PagingProblem(
            .unknownForm,
            "the link to the next page at \"\(path)\" must be a URL or an object with `href`"
        )
    }

    /// The URL of a link that may be a template, as HAL's links are: no variable has a value.
    ///
    /// A URL has no braces, so a template is one even if nothing says so.
    private static func expanded(_ text: String, at path: FieldPath) throws(PagingProblem) -> String {
        guard text.has("{") else { return text }
        do throws(URITemplate.Problem) {
            return try URITemplate(parsing: text).expand([:])
        } catch {
            throw PagingProblem(.invalidLink, "the link at \"\(path)\" can't be used: \(error)")
        }
    }

    /// A number in the query; `nil` if it would be too large.
    fileprivate static func query(_ name: String, _ number: Int, plus step: Int) -> NextPage? {
        let (next, isTooLarge) = number.addingReportingOverflow(step)
        return isTooLarge ? nil : .query(name, String(next))
    }
}

extension Response {
    /// The `Link` field's next page.
    var nextLink: NextPage? { links["next"].map { .link($0.url?.description ?? $0.target) } }
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
            throw PagingProblem(.invalidCursor, "the value at \"\(self)\" must be a number of pages or items")
        }
        return count
    }
}
