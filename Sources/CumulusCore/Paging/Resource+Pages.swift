// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The items of this place's list, which the service gives in pages; asked for as they are needed.
    ///
    ///     for try await issue in repo["issues"].pages(of: Issue.self) { print(issue.title) }
    ///
    /// The next page inherits this place's settings, wherever at its origin the service puts it. A link to another origin
    /// ends the run with ``CumulusError/Code/paging``, unless the rule allows it (``PagingRule/leading(to:)``); credentials
    /// never follow. So does a link to a page that was asked for before, and, where `maxPages` is `nil`, the hundredth page
    /// in a row without an item.
    ///
    /// - Parameters:
    ///   - type: The type of each item.
    ///   - rule: How the service pages; `nil` takes ``Settings/paging``.
    ///   - query: Items merged over the inherited ones, for the first page; links to next pages have their own.
    ///   - headers: Fields merged over the inherited ones, for each page of this origin.
    ///   - maxPages: How many pages are asked for at most; `nil` for all that there are.
    ///   - prefetches: Whether the next page is fetched while you work on the items of one; it is cancelled when you leave
    ///     the loop.
    /// - Returns: The items; ``Pages/byPage`` are the pages. Nothing is sent until they are read.
    public func pages<Item: Decodable & Sendable>(
        of type: Item.Type,
        by rule: PagingRule? = nil,
        query: Query = [:],
        headers: Headers = [:],
        maxPages: Int? = nil,
        prefetches: Bool = true
    ) -> Pages<Item> {
        Pages(
            byPage: Pages.ByPage(
                resource: self,
                rule: rule,
                query: query,
                headers: headers,
                maxPages: maxPages,
                prefetches: prefetches
            )
        )
    }
}
