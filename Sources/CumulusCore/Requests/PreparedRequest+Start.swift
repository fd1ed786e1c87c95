// SPDX-License-Identifier: Apache-2.0

/// What is told how a request ended, on the main actor.
public typealias RequestCompletion<Output: Sendable> = @MainActor @Sendable (Result<Output, any Error>) -> Void

/// What is told how far a request has come, on the main actor.
public typealias RequestProgress = @MainActor @Sendable (TransferProgress) -> Void

extension PreparedRequest {
    /// Starts the request and goes on.
    ///
    /// - Returns: A handle to wait for its value, to watch it, to cancel it or to start it again.
    public func start() -> RequestHandle<Output> { RequestHandle(self, delivery: nil) }

    /// Starts the request; closures are called on the main actor.
    ///
    /// A thin layer over ``send()``: the same stages in the same order.
    ///
    /// - Parameters:
    ///   - progress: Is told how far the bodies have come.
    ///   - completion: Is told the end, once for each start, after all progress; not if it was cancelled silently.
    /// - Returns: A handle; dropping it leaves the request alone.
    @discardableResult
    public func start(
        progress: RequestProgress? = nil,
        completion: @escaping RequestCompletion<Output>
    ) -> RequestHandle<Output> {
        RequestHandle(self) { events, handle, generation in
            Task { @MainActor in
                for await event in events { progress?(event) }
                if let result = handle.resultToTell(generation) { completion(result) }
            }
        }
    }

    /// Starts the request; closures are called on an executor of yours.
    ///
    /// - Parameters:
    ///   - executor: Where the closures run.
    ///   - progress: Is told how far the bodies have come.
    ///   - completion: Is told the end, once for each start, after all progress; not if it was cancelled silently.
    /// - Returns: A handle; dropping it leaves the request alone.
    @discardableResult
    public func start(
        on executor: any TaskExecutor,
        progress: ProgressObserver? = nil,
        completion: @escaping @Sendable (Result<Output, any Error>) -> Void
    ) -> RequestHandle<Output> {
        RequestHandle(self) { events, handle, generation in
            Task(executorPreference: executor) {
                for await event in events { progress?(event) }
                if let result = handle.resultToTell(generation) { completion(result) }
            }
        }
    }
}
