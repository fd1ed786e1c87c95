// SPDX-License-Identifier: Apache-2.0

/// One page of a list: its items, and the answer that brought them.
public struct Page<Item: Sendable>: Sendable {
    /// The items, in the server's order; what post-processors made of them, if there are any.
    public let items: [Item]
    /// The answer, with header fields such as `X-Total-Count`.
    public let response: Response
    /// The page's number in this run, counted from 1.
    public let number: Int
    /// The next page's URL; `nil` for the last page.
    ///
    /// `resource.follow(next).pages(of:)` goes on from there, today or another day.
    public let next: RequestURL?
    /// How the next page is asked for, or why it can't be.
    let step: Result<NextPage?, CumulusError>

    init(items: [Item], response: Response, number: Int, by rule: PagingRule, _ content: PageContent) {
        self.items = items
        self.response = response
        self.number = number
        do throws(PagingProblem) {
            let found = try rule.next(after: content, count: items.count)
            step = .success(found)
            next = found.flatMap { $0.url(from: response) }
        } catch {
            step = .failure(error.after(response, stage: .decoding))
            next = nil
        }
    }
}

extension NextPage {
    /// Where it leads from a page; `nil` for what is not a URL.
    fileprivate func url(from response: Response) -> RequestURL? {
        switch self {
        case .link(let text): try? response.request.url.resolving(text)
        // Redirects may lead where no page but this one is.
        case .query(let name, let value):
            (response.history.first?.request ?? response.request).url.merging([name: value])
        }
    }
}

extension PagingProblem {
    /// The error of a run that can't go on behind an answer.
    func after(_ response: Response, stage: RequestStage) -> CumulusError {
        CumulusError(code, stage: stage, description, request: response.request, response: response, cause: self)
    }
}
