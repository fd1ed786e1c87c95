// SPDX-License-Identifier: Apache-2.0

/// A request that is made now and sent later, any number of times.
///
/// ```swift
/// let reload = site["posts"].prepare(.get, as: [Post].self)
/// let posts = try await reload.send()              // async code
/// let handle = reload.start { result in show(result) }   // a closure, on the main actor
/// ```
///
/// Settings are looked up each time it is sent, so credentials that were corrected in the meantime are used.
public struct PreparedRequest<Output: Sendable>: Sendable {
    /// The resource it is sent to first, which decides whether a thread may block for it.
    let resource: Resource
    private let perform: @Sendable (RequestStart) async throws -> Output

    init(
        _ resource: Resource,
        perform: @escaping @Sendable (RequestStart) async throws -> Output
    ) {
        self.resource = resource
        self.perform = perform
    }

    /// Sends the request.
    ///
    /// - Returns: The prepared result.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func send() async throws -> Output { try await perform(RequestStart()) }

    /// Sends the request for a handle.
    func send(_ start: RequestStart) async throws -> Output { try await perform(start) }

    /// Chains a request that is made from this one's value and sent at once.
    ///
    /// Cancelling the chain cancels the running step.
    ///
    /// - Parameter next: Makes the next request from the last one's value.
    /// - Returns: A request for the whole chain.
    public func then<Next: Sendable>(
        _ next: @escaping @Sendable (Output) async throws -> PreparedRequest<Next>
    ) -> PreparedRequest<Next> {
        PreparedRequest<Next>(resource) { start in
            let value = try await send(start)
            try Task.checkCancellation()
            return try await next(value).send(start)
        }
    }

    /// The same request with its value converted; the function runs off the caller's actor.
    ///
    /// Without this, the function would run on its caller's actor (SE-0461).
    public func map<New: Sendable>(
        _ change: @escaping @concurrent @Sendable (Output) async throws -> New
    ) -> PreparedRequest<New> {
        PreparedRequest<New>(resource) { start in try await change(send(start)) }
    }
}
