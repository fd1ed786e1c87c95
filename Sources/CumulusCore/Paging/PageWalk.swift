// SPDX-License-Identifier: Apache-2.0

/// The state of a run through pages: the request for the next one, or why there is none.
///
/// A value without I/O: pages in, requests out.
struct PageWalk: Sendable {
    /// A request for one page.
    struct Step: Sendable {
        let resource: Resource
        let query: Query
        let headers: Headers
        let number: Int
    }

    /// The next action.
    enum State: Sendable {
        case asking(Step)
        case failing(CumulusError)
        case ended
    }

    /// After this number of pages in a row without items, the run ends: the server would never end.
    static let mostEmptyPages = 100

    private(set) var state: State
    private var emptyPages = 0
    private let rule: PagingRule?
    private let maxPages: Int
    private let origin: Origin?
    /// Hashes of the requests so far: a run may have very many pages.
    private var visited: Set<Int> = []

    init(_ resource: Resource, rule: PagingRule?, query: Query, headers: Headers, maxPages: Int?) {
        self.rule = rule
        self.maxPages = maxPages ?? .max
        origin = resource.place.origin
        let first = Step(resource: resource, query: query, headers: headers, number: 1)
        state = self.maxPages > 0 ? .asking(first) : .ended
    }

    /// Ends the run: a request failed, or the error was reported.
    mutating func end() { state = .ended }

    /// Takes a page, and determines how to continue.
    mutating func advance<Item: Decodable & Sendable>(after page: Pages<Item>.Page) {
        guard case .asking(let step) = state else { return }
        guard page.number < maxPages else {
            state = .ended
            return
        }
        emptyPages = page.items.isEmpty ? emptyPages + 1 : 0
        do throws(CumulusError) {
            guard let next = try page.step.get() else {
                state = .ended
                return
            }
            if maxPages == .max, emptyPages >= PageWalk.mostEmptyPages {
                let reason = "\(emptyPages) pages in a row had no items, and the server links to another page"
                throw PagingProblem(.emptyPages, reason).after(page.response, stage: .addressing)
            }
            state = .asking(try self.step(to: next, from: step, page.response))
        } catch {
            state = .failing(error)
        }
    }

    private mutating func step(
        to next: NextPage,
        from step: Step,
        _ response: Response
    ) throws(CumulusError) -> Step {
        do throws(PagingProblem) {
            switch next {
            case .link(let text):
                let url = try target(text, of: response, step.resource)
                try visit(url, from: response)
                let resource = step.resource.follow(url, seenAt: response.request.url)
                let stays = [url.origin, response.request.url.origin].allSatisfy { $0 == step.resource.place.origin }
                let headers = stays || !resource.node.inheritance.crosses ? step.headers : [:]
                return Step(resource: resource, query: [:], headers: headers, number: step.number + 1)
            case .query(let name, let value):
                let query = step.query.merging([name: value])
                try visit(query.encoded(), from: response)
                return Step(resource: step.resource, query: query, headers: step.headers, number: step.number + 1)
            }
        } catch {
            throw error.after(response, stage: .addressing)
        }
    }

    private func target(
        _ text: String,
        of response: Response,
        _ resource: Resource
    ) throws(PagingProblem) -> RequestURL {
        let url: RequestURL
        do throws(RequestURL.Malformation) {
            url = try response.request.url.resolving(text)
        } catch {
            throw PagingProblem(.invalidLink, "the link to the next page is not a usable URL: \(error)")
        }
        let known = [origin, resource.place.origin, response.request.url.origin]
        let declared = (rule ?? resource.snapshot.value(PagingKey.self)).origins
        guard known.contains(url.origin) || declared.contains(url.origin) else {
            throw PagingProblem(.otherOrigin, "the next page is at another origin, \(url.redacted)")
        }
        return url
    }

    private mutating func visit(_ target: some Hashable, from response: Response) throws(PagingProblem) {
        if visited.isEmpty { visited.insert(response.request.url.hashValue) }
        guard visited.insert(target.hashValue).inserted else {
            throw PagingProblem(.loop, "the link to the next page points to a page that was already requested")
        }
    }
}

extension Resource {
    /// The resource of a link in a response from a URL.
    ///
    /// If a redirect to another origin led to the response, that origin can't make us send credentials elsewhere.
    fileprivate func follow(_ url: RequestURL, seenAt answer: RequestURL) -> Resource {
        answer.origin == place.origin ? follow(url) : follow(answer).follow(url)
    }
}
