// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

extension EndpointCall {
    /// The call for the page that follows a response to this call; `nil` after the last page.
    ///
    ///     var mentions = twitter.prepare("mentions", ["count": 20])
    ///     let first = try await mentions.send()
    ///     if let second = try mentions.nextPage(after: first) { try await second.send() }
    ///
    /// A page at another origin is refused, as in ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``; cycles
    /// are not detected. Hooks see only the first page's request, whose settings and fields this call keeps.
    ///
    /// - Parameters:
    ///   - response: The response; for a page, its ``Page/response``.
    ///   - rule: How the service pages; by default ``Settings/paging``.
    /// - Returns: A copy of this call.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/paging`` if the response has an unsafe link, and any error
    ///   of making the request.
    public func nextPage(after response: Response, by rule: PagingRule? = nil) throws -> EndpointCall? {
        let current = try current()
        let rule = rule ?? current.resource.snapshot.value(PagingKey.self)
        let content = try PageContent(response, for: rule)
        let items = try content.items(of: JSON.self, by: rule)
        let page = Page(items: items, response: response, number: current.number, by: rule, content)
        var walk = PageWalk(at: current, rule: rule)
        walk.advance(after: page)
        switch walk.state {
        case .ended: return nil
        case .failing(let error): throw error
        case .asking(let next):
            var call = self
            call.step = next
            return call
        }
    }

    /// The call for the next page of a service with numbered pages: a copy with the number incremented.
    ///
    ///     let second = try timeline.nextPage()        // page=2
    ///
    /// - Returns: A copy of this call.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/paging`` if the service's rule
    ///   (``ServiceDescription/paging``, ``Settings/paging``) is not ``PagingRule/pageNumber(query:first:last:)``, so
    ///   that the next page is known only from a response.
    public func nextPage() throws -> EndpointCall {
        let current = try current()
        let rule = current.resource.snapshot.value(PagingKey.self)
        guard case .pageNumber(let name, let first, _) = rule.source else {
            let reason = "by the rule \(rule) only an answer tells of the next page"
            throw EndpointCall.problem(.invalidCursor, reason)
        }
        let query = current.resource.settings.query.merging(current.query)
        let number = query[name]?.queryValue.string.map { Int($0) } ?? first
        guard let number, case let (next, isTooLarge) = number.addingReportingOverflow(1), !isTooLarge else {
            let reason = "\(PeerText.quoted(name)) is not a number that can be increased"
            throw EndpointCall.problem(.invalidCursor, reason)
        }
        var call = self
        if let parameter = endpoint?.parameterNames.first(where: { endpoint?[parameter: $0]?.sentName == name }) {
            call.arguments[parameter] = next
        } else {
            call.step = PageWalk.Step(
                resource: current.resource,
                query: current.query.merging([name: next]),
                headers: current.headers,
                number: current.number + 1
            )
        }
        return call
    }

    /// The items of this call's list, page by page, starting with its own page.
    ///
    /// See ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
    ///
    /// - Throws: ``CumulusError`` if the call doesn't fit the endpoint, or is not a GET; any error of a hook.
    public func pages<Item: Decodable & Sendable>(
        of type: Item.Type,
        by rule: PagingRule? = nil,
        maxPages: Int? = nil,
        prefetches: Bool = true
    ) throws -> Pages<Item> {
        let current = try current()
        return current.resource.pages(
            of: type,
            by: rule,
            query: current.query,
            headers: current.headers,
            maxPages: maxPages,
            prefetches: prefetches
        )
    }

    /// The step for this call's own page.
    private func current() throws -> PageWalk.Step {
        if let step { return step }
        let request = try service.request(endpoint, name, arguments, body: body, identity: identity)
        guard request.method == .get else {
            let reason = "the endpoint's method is \(request.method.rawValue), but pages are read with GET"
            throw EndpointProblem.invalidDescription(reason).error(of: name, in: service.definition.name)
        }
        return PageWalk.Step(resource: request.resource, query: request.query, headers: request.headers, number: 1)
    }

    private static func problem(_ kind: PagingProblem.Kind, _ reason: String) -> CumulusError {
        let problem = PagingProblem(kind, reason)
        return CumulusError(problem.code, stage: .addressing, problem.description, cause: problem)
    }
}
