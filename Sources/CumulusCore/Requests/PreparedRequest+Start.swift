// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// A closure that gets a request's result, on the main actor.
public typealias RequestCompletion<Output: Sendable> = @MainActor @Sendable (Result<Output, any Error>) -> Void

/// A closure that gets a request's progress, on the main actor.
public typealias RequestProgress = @MainActor @Sendable (TransferProgress) -> Void

extension PreparedRequest {
    /// Starts the request and returns immediately.
    ///
    /// - Returns: A handle to wait for its value, watch it, cancel it or start it again.
    public func start() -> RequestHandle<Output> { RequestHandle(self, delivery: nil) }

    /// Starts the request and calls closures on the main actor.
    ///
    /// A thin layer over ``send()``: the same stages in the same order.
    ///
    /// - Parameters:
    ///   - progress: Gets the progress of the bodies.
    ///   - completion: Gets the result, once for each start and after all progress; not called if the request was
    ///     cancelled silently.
    /// - Returns: A handle; releasing it doesn't affect the request.
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

    /// Starts the request and calls closures on your own executor.
    ///
    /// - Parameters:
    ///   - executor: Where the closures run.
    ///   - progress: Gets the progress of the bodies.
    ///   - completion: Gets the result, once for each start and after all progress; not called if the request was
    ///     cancelled silently.
    /// - Returns: A handle; releasing it doesn't affect the request.
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

    /// Starts the request and calls closures on your own queue.
    ///
    /// - Parameters:
    ///   - queue: Where the closures run, one at a time, even if the queue is concurrent.
    ///   - progress: Gets the progress of the bodies.
    ///   - completion: Gets the result, once for each start and after all progress; not called if the request was
    ///     cancelled silently.
    /// - Returns: A handle; releasing it doesn't affect the request.
    @discardableResult
    public func start(
        on queue: DispatchQueue,
        progress: ProgressObserver? = nil,
        completion: @escaping @Sendable (Result<Output, any Error>) -> Void
    ) -> RequestHandle<Output> {
        RequestHandle(self) { events, handle, generation in
            Task {
                for await event in events {
                    if let progress { await queue.finish { progress(event) } }
                }
                await queue.finish { if let result = handle.resultToTell(generation) { completion(result) } }
            }
        }
    }
}

extension DispatchQueue {
    /// Runs the work on this queue, and returns when it is done.
    fileprivate func finish(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            async {
                work()
                continuation.resume()
            }
        }
    }
}
