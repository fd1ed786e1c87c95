// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

// The places where services usually say which page is the next one, and whether there is one.

extension PagingRule {
    /// Links to the next page, in members of these names.
    private static let linkPaths = paths([
        "next", "nextLink", "next_link", "next_url", "nextUrl", "next_page", "nextPage", "next_page_url", "nextPageUrl",
        "paging.next", "pagination.next", "pagination.next_url", "pagination.links.next", "meta.next",
        "meta.links.next",
        "meta.pagination.links.next",
    ])
    /// Arrays of links that name their relations.
    private static let linkLists = paths(["links", "link", "_links"])
    /// Cursors and numbers of the next page, with the usual query item for them.
    private static let cursorPaths: [(path: FieldPath, query: String)] = [
        ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("cursor.next", "cursor"), ("next_token", "next_token"),
        ("nextToken", "nextToken"), ("NextToken", "NextToken"), ("nextPageToken", "pageToken"),
        ("next_page_token", "page_token"), ("continuationToken", "continuationToken"), ("next_offset", "offset"),
        ("nextOffset", "offset"), ("response_metadata.next_cursor", "cursor"), ("meta.next_cursor", "cursor"),
        ("meta.next_token", "pagination_token"), ("meta.next_page", "page"), ("meta.pagination.next_page", "page"),
        ("metadata.next_cursor", "cursor"), ("page.next_cursor", "cursor"), ("paging.next_cursor", "cursor"),
        ("pagination.next_cursor", "cursor"), ("pagination.next_page", "page"), ("pagination.next_token", "next_token"),
    ].map { (FieldPath(anywhere: $0.0), $0.1) }
    /// Whether there are more pages.
    private static let morePaths = paths([
        "has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "is_truncated", "isTruncated",
        "IsTruncated", "more", "meta.has_more", "pagination.has_more", "pagination.has_next", "pagination.hasMore",
        "pageInfo.hasNextPage", "page_info.has_next_page", "paging.has_more",
    ])
    /// How many items there are in all.
    private static let totalPaths = paths([
        "total", "total_count", "totalCount", "total_results", "totalResults", "totalItems", "totalElements",
        "meta.total", "meta.total_count", "pagination.total", "page.totalElements", "_meta.total",
        "paging.total",
    ])
    /// How many pages there are in all.
    private static let pageCountPaths = paths([
        "pages", "total_pages", "totalPages", "page_count", "pageCount", "last_page", "lastPage", "meta.total_pages",
        "meta.last_page", "pagination.total_pages", "pagination.pages", "page.totalPages",
    ])

    private static func paths(_ texts: [String]) -> [FieldPath] { texts.map(FieldPath.init(anywhere:)) }

    /// The next page by the usual conventions.
    ///
    /// - Throws: ``PagingProblem`` if there is one, but not how it is requested: cursors have many query items, and a
    ///   server that doesn't know an item would send the same page again.
    func found(_ page: PageContent) throws(PagingProblem) -> NextPage? {
        if let link = page.response.nextLink { return link }
        if let field = page.response.headers["Next-Page"] { return NextPage(link: field) }
        guard let json = page.json, json.object != nil else { return nil }
        for rule in [PagingRule.odata, .hal, .jsonAPI] {
            if case .bodyLink(let paths) = rule.source, let link = try NextPage(linkAt: paths, in: json) { return link }
        }
        var unknown: (path: FieldPath, query: String)?
        for path in PagingRule.linkPaths {
            guard let value = path.value(in: json) else { continue }
            if PagingRule.isLink(value) { return try NextPage(linkAt: [path], in: json) }
            if PagingRule.isCursor(value), unknown == nil { unknown = (path, value.number == nil ? "cursor" : "page") }
        }
        for path in PagingRule.linkLists {
            guard let links = path.value(in: json)?.array else { continue }
            for link in links where link["rel"].string == "next" || link["relation"].string == "next" {
                let places = ["href", "url", "uri"].map { FieldPath(member: $0) }
                if let next = try NextPage(linkAt: places, in: link) { return next }
            }
        }
        let more = PagingRule.morePaths.first { $0.value(in: json)?.bool != nil }
        if let more, more.value(in: json)?.bool == false { return nil }
        unknown = unknown ?? PagingRule.cursorPaths.first { $0.path.value(in: json).map(PagingRule.isCursor) ?? false }
        if let unknown {
            throw PagingProblem(
                .unknownForm,
                "there are more pages: \"\(unknown.path)\" identifies the next one, but doesn't show how to request it",
                suggestion: PagingRule(.cursor(unknown.path, query: unknown.query, more: more))
            )
        }
        guard let more else { return nil }
        throw PagingProblem(
            .unknownForm,
            "there are more pages: \"\(more)\" is true, but the body has no link or cursor for the next one"
        )
    }

    private static func isLink(_ value: JSON) -> Bool {
        if value["href"].string != nil { return true }
        let text = value.string ?? ""
        return ["https:", "http:", "/", "?"].contains(where: text.begins)
    }

    /// Whether a value names a page, rather than the end.
    private static func isCursor(_ value: JSON) -> Bool {
        switch value {
        case .null, .array: false
        case .bool(let isThere): isThere
        case .string(let text): !text.isEmpty && text != "0"
        case .number(let number): number.text != "0"
        case .object(let members): !members.isEmpty && members["href"]?.isNull != true
        }
    }

    /// Why a first page without a next one may not be the whole list; `nil` if it says that it is, or if the rule's own
    /// convention does.
    func ambiguity(of page: PageContent, count: Int) -> Ambiguity? {
        switch source {
        case .automatic: return count == 0 ? nil : automaticAmbiguity(of: page, count)
        case .cursor(let path, _, let more), .lastItem(let path, _, let more):
            if let more { return more.value(in: page.json ?? .null) == nil ? .missing(more.description) : nil }
            if case .lastItem = source { return nil }
            return path.value(in: page.json ?? .null) == nil ? .missing(path.description) : nil
        case .bodyLink(let paths):
            // Formats with a definition leave the member out at the end.
            let isDefined = [PagingRule.hal.source, PagingRule.jsonAPI.source, PagingRule.odata.source].contains(source)
            guard !isDefined, paths.allSatisfy({ $0.value(in: page.json ?? .null) == nil }) else { return nil }
            return paths.first.map { .missing($0.description) }
        case .header(let name, _): return page.response.headers[name] == nil ? .missing(name) : nil
        case .links, .pageNumber, .offset: return nil
        }
    }

    private func automaticAmbiguity(of page: PageContent, _ count: Int) -> Ambiguity? {
        // A server that sends links knows which page is the last.
        if !page.response.links.isEmpty || page.response.headers["Next-Page"] != nil { return nil }
        guard let json = page.json, let members = json.object else { return .nothingSaid }
        for path in PagingRule.totalPaths {
            if let total = path.value(in: json)?.int { return total > count ? .fewer(count, of: total) : nil }
        }
        // The name of a total, and also of the number of this page's items.
        if let total = json["count"].int, total > count { return .fewer(count, of: total) }
        for path in PagingRule.pageCountPaths {
            if let pages = path.value(in: json)?.int { return pages > 1 ? .onePage(of: pages) : nil }
        }
        let ends =
            PagingRule.linkPaths + PagingRule.linkLists + PagingRule.cursorPaths.map(\.path) + PagingRule.morePaths
        if ends.contains(where: { $0.value(in: json) != nil }) { return nil }
        if itemPath == nil, let name = PagingRule.guessedItems(in: members) { return .guessed(name) }
        return members["_embedded"] != nil || members["@odata.context"] != nil ? nil : .nothingSaid
    }
}

extension PagingRule {
    /// The reason why a list's first page may not be the whole list, even though it doesn't refer to a next page:
    /// ``Pages/Page/ambiguity``.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Ambiguity: Sendable, Hashable {
        /// The response contains nothing about pages.
        case nothingSaid
        /// The response lacks the member that the rule names.
        case missing(String)
        /// The response has fewer items than the list.
        case fewer(Int, of: Int)
        /// The response is one of several pages.
        case onePage(of: Int)
        /// The response is one object, whose only array, with this name, was assumed to contain the items.
        case guessed(String)
    }
}
