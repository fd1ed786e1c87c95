// SPDX-License-Identifier: Apache-2.0

extension Pages {
    /// One page of a list: its items, and the response that contained them.
    public struct Page: Sendable {
        /// The items, in the server's order, after post-processing.
        public let items: [Item]
        /// The response, with header fields such as `X-Total-Count`.
        public let response: Response
        /// The page's number in this run, counted from 1.
        public let number: Int
        /// The next page's URL; `nil` for the last page.
        ///
        /// `resource.follow(next).pages(of:)` continues from there, even days later.
        public let next: RequestURL?
        /// How the next page is requested, or why it can't be.
        let step: Result<NextPage?, CumulusError>
        /// The reason why a list with a single page may be incomplete; `nil` if nothing suggests that it is, or if the
        /// list has further pages.
        ///
        /// The rule found no next page, and the response doesn't indicate that the list is complete: your own rule may
        /// be needed.
        public let ambiguity: PagingRule.Ambiguity?

        /// Creates a page, for a test double.
        ///
        /// - Parameters:
        ///   - items: The items.
        ///   - response: The response that contained them.
        ///   - number: The page's number, counted from 1.
        ///   - next: The next page's URL; `nil` for the last page.
        public init(items: [Item], response: Response, number: Int = 1, next: RequestURL? = nil) {
            self.items = items
            self.response = response
            self.number = number
            self.next = next
            step = .success(next.map { .link($0.description) })
            ambiguity = nil
        }

        init(items: [Item], response: Response, number: Int, by rule: PagingRule, _ content: PageContent) {
            self.items = items
            self.response = response
            self.number = number
            do throws(PagingProblem) {
                let found = try rule.next(after: content, count: items.count)
                step = .success(found)
                next = found.flatMap { $0.url(from: response) }
                ambiguity = found == nil && number == 1 ? rule.ambiguity(of: content, count: items.count) : nil
            } catch {
                step = .failure(error.after(response, stage: .decoding))
                next = nil
                ambiguity = nil
            }
        }
    }
}

extension NextPage {
    /// The URL of the next page, as seen from a page; `nil` if it is invalid.
    fileprivate func url(from response: Response) -> RequestURL? {
        switch self {
        case .link(let text): try? response.request.url.resolving(text)
        // A redirect may have led to a place that only has this page.
        case .query(let name, let value):
            (response.history.first?.request ?? response.request).url.merging([name: value])
        }
    }
}

extension PagingProblem {
    /// The error of a run that can't continue after a response.
    func after(_ response: Response, stage: RequestStage) -> CumulusError {
        CumulusError(code, stage: stage, description, request: response.request, response: response, cause: self)
    }
}
