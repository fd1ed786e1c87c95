// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension Call {
    /// Starts the call and returns immediately.
    ///
    /// - Returns: The running call, with which you wait for the value, watch the call, cancel it or start it again.
    ///   Discarding it has no effect.
    public func start() -> RunningCall<Output> { RunningCall(self, delivery: nil) }

    /// Starts the call and calls closures on the main actor.
    ///
    /// It is a thin layer over ``send()`` and goes through the same stages in the same order.
    ///
    /// - Parameters:
    ///   - onProgress: Receives the progress of the bodies.
    ///   - completion: Receives the result, once for each start and after all progress. It is not called if the call
    ///     was cancelled silently.
    /// - Returns: The running call; discarding it has no effect.
    @discardableResult
    public func start(
        onProgress: (@MainActor @Sendable (TransferProgress) -> Void)? = nil,
        _ completion: @escaping @MainActor @Sendable (Result<Output, any Error>) -> Void
    ) -> RunningCall<Output> {
        RunningCall(self) { events, running, generation in
            Task { @MainActor in
                for await event in events { onProgress?(event) }
                if let result = running.resultToTell(generation) { completion(result) }
            }
        }
    }

    /// Starts the call and calls closures on your own executor.
    ///
    /// - Parameters:
    ///   - executor: The executor of the closures.
    ///   - onProgress: Receives the progress of the bodies.
    ///   - completion: Receives the result, once for each start and after all progress. It is not called if the call
    ///     was cancelled silently.
    /// - Returns: The running call; discarding it has no effect.
    @discardableResult
    public func start(
        on executor: any TaskExecutor,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        _ completion: @escaping @Sendable (Result<Output, any Error>) -> Void
    ) -> RunningCall<Output> {
        RunningCall(self) { events, running, generation in
            Task(executorPreference: executor) {
                for await event in events { onProgress?(event) }
                if let result = running.resultToTell(generation) { completion(result) }
            }
        }
    }

    /// Starts the call and calls closures on a dispatch queue, one after another.
    ///
    /// - Parameters:
    ///   - queue: The queue of the closures; on a concurrent one, each closure begins after the previous one has
    ///     returned.
    ///   - onProgress: Receives the progress of the bodies.
    ///   - completion: Receives the result, once for each start and after all progress. It is not called if the call
    ///     was cancelled silently.
    /// - Returns: The running call; discarding it has no effect.
    @discardableResult
    public func start(
        on queue: DispatchQueue,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        _ completion: @escaping @Sendable (Result<Output, any Error>) -> Void
    ) -> RunningCall<Output> {
        RunningCall(self) { events, running, generation in
            Task {
                for await event in events {
                    if let onProgress { await queue.run { onProgress(event) } }
                }
                await queue.run { if let result = running.resultToTell(generation) { completion(result) } }
            }
        }
    }
}

extension DispatchQueue {
    /// Runs work on the queue and waits for its end, without blocking a thread.
    fileprivate func run(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            async {
                work()
                continuation.resume()
            }
        }
    }
}
