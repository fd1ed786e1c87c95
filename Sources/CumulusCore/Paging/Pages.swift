// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The items of a list that a service gives in pages: ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
///
///     for try await issue in repo["issues"].pages(of: Issue.self) { print(issue.title) }
///     for try await page in repo["issues"].pages(of: Issue.self).byPage { print(page.number, page.items.count) }
///
/// Each page is a call of its own, with the settings of that moment: retries, time limits, authorization and hooks are
/// those of any call. While you work on an item no slot of ``Settings/maxConcurrentRequests`` is held, unless the next
/// page is just being fetched. Each loop begins at the first page again.
public struct Pages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
    /// An item of a page.
    public typealias Element = Item

    /// The pages, with their answers and numbers.
    public let byPage: ByPage

    /// Reads the items, page after page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: byPage.makeAsyncIterator()) }

    /// Reads the items, page after page.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: ByPage.Iterator
        private var items: [Item] = []
        private var position = 0

        init(pages: ByPage.Iterator) { self.pages = pages }

        /// The next item; `nil` after the last one of the last page.
        ///
        /// - Throws: What ``Pages/ByPage/Iterator/next()`` does, behind the items that came before.
        public mutating func next() async throws -> Item? {
            // Not only where a page is fetched: a page may have many items.
            try Task.checkCancellation()
            while position == items.count {
                guard let page = try await pages.next() else { return nil }
                (items, position) = (page.items, 0)
            }
            position += 1
            return items[position - 1]
        }
    }

    /// The pages of a list, one after the other: ``Pages/byPage``.
    public struct ByPage: AsyncSequence, Sendable {
        /// A page.
        public typealias Element = Page<Item>

        let resource: Resource
        let rule: PagingRule?
        let query: Query
        let headers: Headers
        let maxPages: Int?
        let prefetches: Bool

        /// Reads the pages.
        public func makeAsyncIterator() -> Iterator {
            let walk = PageWalk(resource, rule: rule, query: query, headers: headers, maxPages: maxPages)
            return Iterator(walk: walk, rule: rule, prefetches: prefetches)
        }

        /// Reads the pages.
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

            /// The next page; `nil` after the last, and after an error.
            ///
            /// - Throws: ``CumulusError``: what a GET throws, and ``CumulusError/Code/paging`` where the answer before
            ///   leads nowhere safe. `CancellationError` when the task is cancelled.
            public mutating func next() async throws -> Page<Item>? {
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
    /// Asks for the page.
    fileprivate func page<Item: Decodable & Sendable>(
        _ type: Item.Type,
        by rule: PagingRule?
    ) async throws -> Page<Item> {
        let settings = resource.snapshot
        let pipeline = settings.pipeline
        let draft = try RequestDraft(
            method: .get,
            resource: resource,
            settings: settings,
            pipeline: pipeline,
            query: query,
            headers: headers,
            payload: .none,
            wanted: [Item].self,
            wantsValue: true
        )
        return try await pipeline.run(draft, into: PageSink<Item>(number: number, rule: rule))
    }
}
