// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Returns the resource's states from now on, decoded as a type: its value, its error, and whether a GET is
    /// running.
    ///
    /// ```swift
    /// for await state in site["posts"].updates(as: [Article].self) {
    ///     show(state.value ?? [])
    /// }
    /// ```
    ///
    /// A GET is sent unless a value is already available. The states also show the responses to identical GETs that
    /// other code in the tree or ``invalidate()`` sends; see ``ResourceState``. Observers
    /// share one state if their URL, query, header fields, user, settings and type are the same. A write changes nothing
    /// until you call ``invalidate()``. The observation and its GET end with the last observer.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The states; each reader receives the current one first, and misses those that it is too slow to read.
    public func updates<Value: Decodable & Sendable>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> ResourceUpdates<Value> {
        let updates = ResourceUpdates(.shared(for: call(.get, as: type, query: query, headers: headers)))
        updates.observed.load(for: .first)
        return updates
    }

    /// Requests the observed values of this resource and of those below it again, from the server even if they are
    /// cached.
    ///
    /// Call this method after a write that changes the values.
    public func invalidate() {
        let covers = placeCoverage
        for feed in tree.context.observed.all {
            if let origin = feed.origin, covers(origin, feed.path) { feed.reload() }
        }
    }
}

/// The states of an observed resource: ``Resource/updates(as:query:headers:)``.
public struct ResourceUpdates<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A state of the resource.
    public typealias Element = ResourceState<Value>
    /// Errors are part of a state.
    public typealias Failure = Never

    let observed: ObservedResource<Value>

    init(_ observed: ObservedResource<Value>) { self.observed = observed }

    /// The current state.
    public var current: ResourceState<Value> { observed.state }

    /// Requests the value again and waits for the response, unless the value is younger than a limit.
    ///
    /// If a GET is already running, this method waits for it. Errors are part of the state.
    ///
    /// - Parameter age: The age from which the value is too old. Default: zero, so that a GET is always sent.
    public func refresh(ifOlderThan age: Duration = .zero) async {
        observed.load(for: .use(ifOlderThan: age))
        await observed.settled()
    }

    /// Creates a reader of the states, which begins with the current one.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(observed: observed, states: observed.states().makeAsyncIterator())
    }

    /// Reads the states of an observed resource, and keeps the observation alive.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let observed: ObservedResource<Value>
        var states: AsyncStream<ResourceState<Value>>.Iterator

        /// Returns the next state; `nil` when the task is cancelled.
        public mutating func next() async -> ResourceState<Value>? { await next(isolation: #isolation) }

        /// Returns the next state; `nil` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ResourceState<Value>? {
            await states.next(isolation: actor)
        }
    }
}
