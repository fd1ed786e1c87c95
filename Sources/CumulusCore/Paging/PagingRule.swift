// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A rule that finds a service's next page, and the items in a body.
///
///     repo["issues"].setRules { $0.paging = .links }
///     slack["conversations.list"].setRules {
///         $0.paging = .cursor(at: "response_metadata.next_cursor", query: "cursor").items(at: "channels")
///     }
///
/// Paths in bodies are dotted (`meta.next`, `tags[0]`) or JSON Pointers (`/meta/next`, RFC 6901).
public struct PagingRule: Sendable, Hashable {
    /// Where the next page is found.
    enum Source: Sendable, Hashable {
        case automatic
        case links
        /// A field whose value is a URL or, with the name of a query item, a cursor.
        case header(String, query: String?)
        /// A URL in the body, at the first of these paths that has one.
        case bodyLink([FieldPath])
        case cursor(FieldPath, query: String, more: FieldPath?)
        /// A member of the last item.
        case lastItem(FieldPath, query: String, more: FieldPath?)
        case pageNumber(query: String, first: Int, last: FieldPath?)
        case offset(query: String, total: FieldPath?)
    }

    let source: Source
    /// Where the items are; `nil` finds them automatically.
    private(set) var itemPath: FieldPath?
    /// The other origins at which next pages may be.
    private(set) var origins: Set<Origin> = []

    init(_ source: Source) { self.source = source }

    /// A rule that uses the first of these in the response: a `Link` with `rel="next"`, a `Next-Page` field, or, in the
    /// body, the next link of OData, HAL or JSON:API, or a URL in another common member: `next`, `nextLink`,
    /// `next_page`, `paging.next`.
    ///
    /// A page that refers to the next one in a different form, such as `next_cursor` or `has_more`, ends the run with
    /// an error that names the rule that may read it.
    public static let automatic = PagingRule(.automatic)

    /// The `Link` field with `rel="next"` (RFC 8288), as GitHub, GitLab and Mastodon send it.
    public static let links = PagingRule(.links)

    /// `_links.next.href`, and the items in `_embedded`: HAL.
    ///
    /// A link that is a template is expanded without values.
    public static let hal = PagingRule(.bodyLink([FieldPath(anywhere: "_links.next")]))

    /// `links.next`, a string or an object with `href`, and the items in `data`: JSON:API.
    public static let jsonAPI = PagingRule(.bodyLink([FieldPath(anywhere: "links.next")]))

    /// `@odata.nextLink`, and the items in `value`: OData.
    ///
    /// In older versions, `odata.nextLink`, or `d.__next` and `d.results`.
    public static let odata = PagingRule(
        .bodyLink([
            FieldPath(member: "@odata.nextLink"), FieldPath(member: "@nextLink"), FieldPath(member: "odata.nextLink"),
            FieldPath(anywhere: "d.__next"),
        ])
    )

    /// Creates a rule for a header field with the next page's URL: `.header("Next-Page")`, as Kinto sends it.
    public static func header(_ name: String) -> PagingRule { PagingRule(.header(name, query: nil)) }

    /// Creates a rule for a header field with a cursor, which is sent in the next request's query:
    /// `.header("X-Next-Page", query: "page")`.
    public static func header(_ name: String, query: String) -> PagingRule { PagingRule(.header(name, query: query)) }

    /// Creates a rule for a URL in the body, absolute or relative: `.link(at: "paging.next")`.
    public static func link(at path: String) -> PagingRule { PagingRule(.bodyLink([FieldPath(anywhere: path)])) }

    /// Creates a rule for a cursor in the body, which is sent in the next request's query.
    ///
    /// A missing cursor, `null`, an empty string, `false` and 0 mean the end.
    ///
    /// - Parameters:
    ///   - path: The path of the cursor, a string or a number.
    ///   - query: The query item for the cursor.
    ///   - more: The path of the member that indicates whether there are more pages; `false` also means the end.
    /// - Returns: The rule.
    public static func cursor(at path: String, query: String, more: String? = nil) -> PagingRule {
        PagingRule(.cursor(FieldPath(anywhere: path), query: query, more: more.map(FieldPath.init(anywhere:))))
    }

    /// Creates a rule with a member of the page's last item as the cursor: `.cursor(ofLast: "id", query:
    /// "starting_after", more: "has_more")`.
    ///
    /// A page without items means the end.
    ///
    /// - Parameters:
    ///   - path: The path of the cursor in the last item, a string or a number.
    ///   - query: The query item for the cursor.
    ///   - more: The path of the member that indicates whether there are more pages; `false` also means the end.
    /// - Returns: The rule.
    public static func cursor(ofLast path: String, query: String, more: String? = nil) -> PagingRule {
        PagingRule(.lastItem(FieldPath(anywhere: path), query: query, more: more.map(FieldPath.init(anywhere:))))
    }

    /// Creates a rule for a page number in the query, which is incremented for each page.
    ///
    /// A page without items means the end; a short one doesn't, since servers filter and limit pages.
    ///
    /// - Parameters:
    ///   - query: The query item.
    ///   - first: The number of the first page, if the request has none.
    ///   - last: The path of the last page's number in the body, which avoids the request for an empty page.
    /// - Returns: The rule.
    public static func pageNumber(query: String = "page", first: Int = 1, last: String? = nil) -> PagingRule {
        PagingRule(.pageNumber(query: query, first: first, last: last.map(FieldPath.init(anywhere:))))
    }

    /// Creates a rule for the number of items to skip, in the query: the number received so far.
    ///
    /// A page without items means the end; a short one doesn't, since servers limit pages. To set the number of items
    /// per page, add it to the query of the call: `["limit": 100]`.
    ///
    /// - Parameters:
    ///   - query: The query item.
    ///   - total: The path of the total number of items in the body, which avoids the request for an empty page.
    /// - Returns: The rule.
    public static func offset(query: String = "offset", total: String? = nil) -> PagingRule {
        PagingRule(.offset(query: query, total: total.map(FieldPath.init(anywhere:))))
    }

    /// Returns a copy of the rule with the items at a path: `.links.items(at: "data.issues")`.
    ///
    /// Without a path, the items are the body if it is an array, the members that HAL, JSON:API or OData define, the
    /// array called `data`, `items`, `results` or `value`, or the only array in the body or in its `_embedded`.
    public func items(at path: String) -> PagingRule {
        var rule = self
        rule.itemPath = FieldPath(anywhere: path)
        return rule
    }

    /// Returns a copy of the rule for a service whose next pages may also be at a different origin, which doesn't
    /// receive credentials.
    ///
    /// A locator that is not a URL has no effect.
    public func leading(to origin: some Locator) -> PagingRule {
        var rule = self
        if let url = try? RequestURL(origin.locatorText) { rule.origins.insert(url.origin) }
        return rule
    }
}

extension PagingRule: CustomStringConvertible {
    /// The rule in source form: `links.items(at: "data")`.
    public var description: String {
        let items = itemPath.map { ".items(at: \(quoted($0)))" } ?? ""
        let places = origins.map(\.description).sorted().map { ".leading(to: \"\($0)\")" }.joined()
        return name + items + places
    }

    private var name: String {
        switch source {
        case .automatic: "automatic"
        case .links: "links"
        case .header(let name, nil): "header(\(quoted(name)))"
        case .header(let name, let query?): "header(\(quoted(name)), query: \(quoted(query)))"
        case .bodyLink(let paths):
            switch self {
            case _ where source == PagingRule.hal.source: "hal"
            case _ where source == PagingRule.jsonAPI.source: "jsonAPI"
            case _ where source == PagingRule.odata.source: "odata"
            default: "link(at: \(paths.map(quoted).joined(separator: ", ")))"
            }
        case .cursor(let path, let query, _): "cursor(at: \(quoted(path)), query: \(quoted(query)))"
        case .lastItem(let path, let query, _): "cursor(ofLast: \(quoted(path)), query: \(quoted(query)))"
        case .pageNumber(let query, let first, _): "pageNumber(query: \(quoted(query)), first: \(first))"
        case .offset(let query, _): "offset(query: \(quoted(query)))"
        }
    }

    private func quoted(_ text: some CustomStringConvertible) -> String {
        "\"\(PeerText.printable(text.description))\""
    }
}
