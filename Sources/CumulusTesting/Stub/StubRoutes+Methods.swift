// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The usual methods, as in `Routes`.
extension StubRoutes {
    /// Handles GET on a path pattern with a closure.
    public mutating func get(_ pattern: String, _ respond: @escaping Respond) { on(.get, pattern, respond) }

    /// Handles GET on a path pattern with a response.
    public mutating func get(_ pattern: String, _ answer: StubResponse) { on(.get, pattern, answer) }

    /// Handles POST on a path pattern with a closure.
    public mutating func post(_ pattern: String, _ respond: @escaping Respond) { on(.post, pattern, respond) }

    /// Handles POST on a path pattern with a response.
    public mutating func post(_ pattern: String, _ answer: StubResponse) { on(.post, pattern, answer) }

    /// Handles PUT on a path pattern with a closure.
    public mutating func put(_ pattern: String, _ respond: @escaping Respond) { on(.put, pattern, respond) }

    /// Handles PUT on a path pattern with a response.
    public mutating func put(_ pattern: String, _ answer: StubResponse) { on(.put, pattern, answer) }

    /// Handles PATCH on a path pattern with a closure.
    public mutating func patch(_ pattern: String, _ respond: @escaping Respond) { on(.patch, pattern, respond) }

    /// Handles PATCH on a path pattern with a response.
    public mutating func patch(_ pattern: String, _ answer: StubResponse) { on(.patch, pattern, answer) }

    /// Handles DELETE on a path pattern with a closure.
    public mutating func delete(_ pattern: String, _ respond: @escaping Respond) { on(.delete, pattern, respond) }

    /// Handles DELETE on a path pattern with a response.
    public mutating func delete(_ pattern: String, _ answer: StubResponse) { on(.delete, pattern, answer) }
}
