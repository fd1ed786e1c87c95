// SPDX-License-Identifier: Apache-2.0

/// The next page on its way while the items of the one before are in use; it ends with whoever holds this.
final class PagePrefetch<Item: Sendable>: Sendable {
    private let task: Task<Page<Item>, any Error>

    init(_ fetch: @escaping @Sendable () async throws -> Page<Item>) { task = Task { try await fetch() } }

    deinit { task.cancel() }

    /// The page, once it is here.
    var page: Page<Item> {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
