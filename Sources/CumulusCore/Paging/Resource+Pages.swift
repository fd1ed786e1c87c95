// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Returns the items of this resource's paged list; the pages are requested as they are needed.
    ///
    ///     for try await issue in repo["issues"].pages(of: Issue.self) { print(issue.title) }
    ///
    /// The next page inherits this resource's settings, regardless of the page's path at this origin. A link to a
    /// different origin ends the run with ``CumulusError/Code/paging``, unless the rule allows it
    /// (``PagingRule/leading(to:)``); credentials are never sent there. A link to a page that was already requested
    /// also ends the run. If `maxPages` is `nil`, so does the hundredth page in a row without items.
    ///
    /// - Parameters:
    ///   - type: The type of each item.
    ///   - rule: The service's paging rule; by default ``Resource/Settings/paging``.
    ///   - query: Query items merged over the inherited ones, for the first page; links to next pages have their own.
    ///   - headers: Fields merged over the inherited ones, for each page at this origin.
    ///   - maxPages: The maximum number of pages to request; `nil` for all.
    ///   - prefetches: Whether the next page is fetched while you work on the items of the current one; it is cancelled
    ///     when you leave the loop.
    /// - Returns: The items; ``Pages/byPage`` contains the pages. Nothing is sent until they are read.
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
