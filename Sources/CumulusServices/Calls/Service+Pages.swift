// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

extension Service {
    /// Returns the items of an endpoint's paged list; the pages are requested as they are needed.
    ///
    ///     for try await status in try twitter.pages("GetMentions", ["count": 50], of: Status.self) { print(status.text) }
    ///
    /// See `Resource.pages(of:by:query:headers:maxPages:prefetches:)`; `Resource.Settings.paging` is
    /// the service's paging rule.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name; its method must be GET.
    ///   - arguments: Values for the endpoint's parameters, for the first page.
    ///   - type: The type of each item.
    ///   - rule: The service's paging rule; by default `Resource.Settings.paging`.
    ///   - maxPages: The maximum number of pages to request; `nil` for all.
    ///   - prefetches: Whether the next page is fetched while you work on the items of the current one.
    /// - Returns: The items; `Pages.byPage` contains the pages. Nothing is sent until they are read.
    /// - Throws: `CumulusError`, whose cause is an ``EndpointProblem`` if the call doesn't fit the endpoint; any
    ///   error of a hook.
    public func pages<Item: Decodable & Sendable>(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        of type: Item.Type,
        by rule: PagingRule? = nil,
        maxPages: Int? = nil,
        prefetches: Bool = true
    ) throws -> Pages<Item> {
        let request = try request(name, arguments)
        guard request.method == .get else {
            let reason = "the endpoint's method is \(request.method.rawValue), but pages are read with GET"
            throw EndpointProblem.invalidDescription(reason).error(of: name, in: definition.name)
        }
        return request.resource.pages(
            of: type,
            by: rule,
            query: request.query,
            headers: request.headers,
            maxPages: maxPages,
            prefetches: prefetches
        )
    }
}
