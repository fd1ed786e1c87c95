// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// The browser of a person who signs in immediately.
final class Browser: RedirectReceiver {
    private let query = Mutex<Query?>(nil)

    /// Opens the page, and records the redirect.
    func open(_ url: String) async throws {
        let page = Resource(url) { $0.redirects = .none }
        let location = try await page.get().header("Location") ?? ""
        query.withLock { $0 = Query(parsing: String(location.drop { $0 != "?" }.dropFirst())) }
    }

    func receive(
        _ isExpected: @escaping @Sendable (Query) -> Bool,
        _ begin: @escaping @Sendable (String) async throws -> Void
    ) async throws -> Query {
        try await begin("http://127.0.0.1:9/callback")
        guard let query = query.withLock(\.self), isExpected(query) else { throw CancellationError() }
        return query
    }
}
