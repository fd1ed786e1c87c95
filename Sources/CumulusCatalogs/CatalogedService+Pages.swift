// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusServices

extension CatalogedService {
    /// Returns the items of a task's list, page by page, according to the service's paging rule; pages are requested as
    /// they are needed.
    ///
    ///     for try await status in try mastodon.pages("GetHomeTimeline", of: Mastodon.Status.self) {
    ///         print(status.content)
    ///     }
    ///
    /// - Parameters:
    ///   - task: The task's name.
    ///   - arguments: Values for its parameters on the first page.
    ///   - type: The type of each item.
    ///   - maxPages: The maximum number of pages to request; `nil` for all.
    /// - Returns: The items. Nothing is sent until they are read.
    /// - Throws: `CumulusError` if the call doesn't fit the task.
    public func pages<Item: Decodable & Sendable>(
        _ task: String,
        _ arguments: EndpointArguments = [:],
        of type: Item.Type,
        maxPages: Int? = nil
    ) throws -> Pages<Item> {
        try service.pages(task, arguments, of: type, by: Self.paging, maxPages: maxPages)
    }
}
