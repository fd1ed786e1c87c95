// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

extension Call {
    /// Returns the call for the page that follows a response to this call; `nil` after the last page.
    ///
    ///     let mentions = twitter.call("mentions", ["count": 20])
    ///     let first = try await mentions.send()
    ///     if let second = try mentions.nextPage(after: first) { print(try await second.send()) }
    ///
    /// A page at a different origin is refused, as in ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``;
    /// cycles are not detected.
    ///
    /// - Parameters:
    ///   - response: The response to this call, such as ``Pages/Page/response``.
    ///   - rule: The service's paging rule; by default ``Resource/Settings/paging``.
    /// - Returns: A copy of this call.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/paging`` if the response has an unsafe link, and with
    ///   ``CumulusError/Code/invalidRequest`` if the call is not a GET; the error of a call that can't be made.
    public func nextPage(after response: Response, by rule: PagingRule? = nil) throws -> Call? {
        if case .failure(let error) = output { throw error }
        guard method == .get else {
            let reason = "pages are read with GET, but the call's method is \(method.rawValue)"
            throw CumulusError(.invalidRequest, stage: .addressing, reason)
        }
        let rule = rule ?? resource.snapshot.value(PagingKey.self)
        let content = try PageContent(response, for: rule)
        let items = try content.items(of: JSON.self, by: rule)
        let page = Pages<JSON>.Page(items: items, response: response, number: 1, by: rule, content)
        var walk = PageWalk(resource, rule: rule, query: query, headers: headers, maxPages: nil)
        walk.advance(after: page)
        switch walk.state {
        case .ended: return nil
        case .failing(let error): throw error
        case .asking(let next):
            var call = self
            call.request.resource = next.resource
            call.query = next.query
            call.headers = next.headers
            return call
        }
    }
}
