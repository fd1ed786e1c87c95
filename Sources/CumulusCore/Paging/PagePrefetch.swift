// SPDX-License-Identifier: Apache-2.0

/// A request for the next page while the items of the current one are in use; cancelled when this is released.
final class PagePrefetch<Item: Decodable & Sendable>: Sendable {
    private let task: Task<Pages<Item>.Page, any Error>

    init(_ fetch: @escaping @Sendable () async throws -> Pages<Item>.Page) { task = Task { try await fetch() } }

    deinit { task.cancel() }

    /// The page, once it has arrived.
    var page: Pages<Item>.Page {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
