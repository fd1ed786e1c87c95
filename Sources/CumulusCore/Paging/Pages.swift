// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The items of a paged list: ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
///
///     for try await issue in repo["issues"].pages(of: Issue.self) { print(issue.title) }
///     for try await page in repo["issues"].pages(of: Issue.self).byPage { print(page.number, page.items.count) }
///
/// Each page is a separate call, with the current settings: retries, time limits, authorization and hooks apply as in
/// any call. While you work on an item, no slot of ``Resource/Rules/maxConcurrentRequests`` is held, unless the next
/// page is being fetched. Each loop starts at the first page again.
public struct Pages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
    /// An item of a page.
    public typealias Element = Item

    /// The pages, with their responses and numbers.
    public let byPage: ByPage

    /// Creates an iterator over the items, page by page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: byPage.makeAsyncIterator()) }

    /// An iterator over the items, page by page.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: ByPage.Iterator
        private var items: [Item] = []
        private var position = 0

        init(pages: ByPage.Iterator) { self.pages = pages }

        /// Returns the next item; `nil` after the last item of the last page.
        ///
        /// - Throws: The errors of ``Pages/ByPage/Iterator/next()``, after all items of the previous pages.
        public mutating func next() async throws -> Item? {
            // Checked for each item, not only for each page: a page may have many items.
            try Task.checkCancellation()
            while position == items.count {
                guard let page = try await pages.next() else { return nil }
                (items, position) = (page.items, 0)
            }
            position += 1
            return items[position - 1]
        }
    }

    /// The pages of a list, in order: ``Pages/byPage``.
    public struct ByPage: AsyncSequence, Sendable {
        /// A page.
        public typealias Element = Pages<Item>.Page

        let resource: Resource
        let rule: PagingRule?
        let query: Query
        let headers: Headers
        let maxPages: Int?
        let prefetches: Bool

        /// Creates an iterator over the pages.
        public func makeAsyncIterator() -> Iterator {
            let walk = PageWalk(resource, rule: rule, query: query, headers: headers, maxPages: maxPages)
            return Iterator(walk: walk, rule: rule, prefetches: prefetches)
        }

        /// An iterator over the pages.
        public struct Iterator: AsyncIteratorProtocol {
            private var walk: PageWalk
            private let rule: PagingRule?
            private let prefetches: Bool
            private var prefetch: PagePrefetch<Item>?

            init(walk: PageWalk, rule: PagingRule?, prefetches: Bool) {
                self.walk = walk
                self.rule = rule
                self.prefetches = prefetches
            }

            /// Returns the next page; `nil` after the last, and after an error.
            ///
            /// - Throws: ``CumulusError``: any error of a GET, and ``CumulusError/Code/paging`` if the previous
            ///   response has an unsafe link. `CancellationError` if the task is cancelled.
            public mutating func next() async throws -> Pages<Item>.Page? {
                switch walk.state {
                case .ended: return nil
                case .failing(let error):
                    walk.end()
                    throw error
                case .asking(let step):
                    do {
                        let fetched = try await prefetch?.page
                        prefetch = nil
                        let page = if let fetched { fetched } else { try await step.page(Item.self, by: rule) }
                        walk.advance(after: page)
                        if prefetches, case .asking(let next) = walk.state {
                            prefetch = PagePrefetch { [rule] in try await next.page(Item.self, by: rule) }
                        }
                        return page
                    } catch {
                        prefetch = nil
                        walk.end()
                        throw error
                    }
                }
            }
        }
    }
}

extension PageWalk.Step {
    /// Requests the page.
    fileprivate func page<Item: Decodable & Sendable>(
        _ type: Item.Type,
        by rule: PagingRule?
    ) async throws -> Pages<Item>.Page {
        let request = CallRequest(resource: resource, method: .get, payload: .none, query: query, headers: headers)
        return try await request.run(wanted: [Item].self, into: PageSink<Item>(number: number, rule: rule), nil)
    }
}

extension Resource.Settings {
    /// The rule that finds the service's next page, for ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
    ///
    /// Default: ``PagingRule/automatic``. The nearest layer wins.
    public var paging: PagingRule {
        get { self[key: PagingKey.self] }
        set { self[key: PagingKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/paging``.
enum PagingKey: HarmlessSettingKey, UncomparedSettingKey {
    /// Finds the rule in the response.
    static var defaultValue: PagingRule { .automatic }
}

extension Pages {
    /// A loop or `reduce` collects the items.
    @available(
        *,
        unavailable,
        message: "collect all items with `try await pages.reduce(into: []) { $0.append($1) }`"
    )
    public func collect() async throws -> [Item] { throw CancellationError() }
}
