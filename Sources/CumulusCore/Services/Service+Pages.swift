// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Service {
    /// The items of an endpoint's list, which the service gives in pages; asked for as they are needed.
    ///
    ///     for try await status in try twitter.pages("GetMentions", ["count": 50], of: Status.self) { ... }
    ///
    /// See ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``: how the service pages says ``Settings/paging``.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name; its method must be GET.
    ///   - arguments: Values for its parameters, for the first page.
    ///   - type: The type of each item.
    ///   - rule: How the service pages; `nil` takes ``Settings/paging``.
    ///   - maxPages: How many pages are asked for at most; `nil` for all that there are.
    ///   - prefetches: Whether the next page is fetched while you work on the items of one.
    /// - Returns: The items; ``Pages/byPage`` are the pages. Nothing is sent until they are read.
    /// - Throws: ``CumulusError``, whose cause is an ``EndpointProblem`` where the call doesn't fit the endpoint; what a hook
    ///   throws.
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
