// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A started call, which you can watch, cancel or restart.
///
/// Releasing it doesn't cancel the call, which runs until it ends or ``cancel(_:)`` is called.
public final class RunningCall<Output: Sendable>: Sendable {
    private struct State {
        var generation = 0
        /// The latest start's task, which may still be running after it was cancelled.
        var task: Task<Void, Never>?
        var isPaused = false
        /// The starts that pauses have stopped since the last end; one that succeeds nevertheless counts.
        var stopped: Set<Int> = []
        /// The success of such a start, for the next one.
        var late: Output?
        /// Whether the latest start was cancelled; its task may still be running.
        var isCancelled = false
        var result: Result<Output, any Error>?
        var isSilent = false
        var latest: TransferProgress?
        var waiters: [Int: CheckedContinuation<Output, any Error>] = [:]
        var nextWaiter = 0
        var streams: [Int: AsyncStream<TransferProgress>.Continuation] = [:]

        /// Keeps the success of a start that a pause stopped too late: it ends a paused call, and a resumed one returns
        /// it instead of sending everything again.
        mutating func keep(_ result: Result<Output, any Error>, of stoppedGeneration: Int) {
            guard case .success(let output) = result, stopped.contains(stoppedGeneration) else { return }
            if isPaused, !isCancelled { generation = stoppedGeneration } else { late = output }
        }
    }

    /// Called at each end that is not silent, after all progress.
    typealias Delivery = @Sendable (AsyncStream<TransferProgress>, RunningCall<Output>, Int) -> Void

    /// The call's number, known as soon as the call is started.
    ///
    /// Errors, logs, progress and ``Resource/runningCall(_:)`` use the same number.
    ///
    /// A restart keeps the number.
    public let id = CallID.next()

    private let call: Call<Output>
    /// How often it was started or stopped.
    private let starts = Atomic(0)
    private let delivery: Delivery?
    private let state = Mutex(State())

    init(_ call: Call<Output>, delivery: Delivery?) {
        self.call = call
        self.delivery = delivery
        begin()
    }

    /// The call's value; after a restart, the value of the latest run.
    ///
    /// Cancelling the task that waits for it only ends the wait; ``cancel(_:)`` ends the call.
    ///
    /// - Throws: ``CumulusError``, or `CancellationError`.
    public var value: Output {
        get async throws {
            let number = state.withLock { state -> Int in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let ready = state.withLock { state -> Result<Output, any Error>? in
                        if let result = state.result { return result }
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiters[number] = continuation
                        return nil
                    }
                    if let ready { continuation.resume(with: ready) }
                }
            } onCancel: {
                state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
            }
        }
    }

    /// Whether the call has ended.
    public var isFinished: Bool { state.withLock { $0.result != nil } }

    /// The progress of the bodies: the latest event immediately, then each later one; it ends with the call.
    public var progress: AsyncStream<TransferProgress> {
        AsyncStream { continuation in
            let number = state.withLock { state -> Int? in
                if let latest = state.latest { continuation.yield(latest) }
                guard state.result == nil else { return nil }
                state.nextWaiter += 1
                state.streams[state.nextWaiter] = continuation
                return state.nextWaiter
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
        }
    }

    /// Cancels the call; tasks that wait for its ``value`` receive `CancellationError`.
    ///
    /// - Parameter mode: Whether the completion is called. Default: ``CancelMode/reported``.
    public func cancel(_ mode: CancelMode = .reported) {
        let (task, paused) = state.withLock { state -> (Task<Void, Never>?, Int?) in
            if mode == .silent { state.isSilent = true }
            state.isCancelled = true
            return (state.task, state.isPaused ? state.generation : nil)
        }
        task?.cancel()
        guard let paused else { return }
        // No task is running that would report the end.
        finish(.failure(CancellationError()), paused)
        let (events, feed) = AsyncStream.makeStream(of: TransferProgress.self)
        feed.finish()
        delivery?(events, self, paused)
    }

    /// Sends the call again with its current settings; a running call is cancelled silently first.
    public func restart() { begin() }

    /// Whether the call was stopped and can be resumed.
    package var isSuspended: Bool { state.withLock(\.isPaused) }

    /// Stops the call silently; tasks that wait for its value continue to wait.
    ///
    /// If it succeeds in the meantime, it has ended.
    package func suspend() {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.result == nil, !state.isPaused, !state.isCancelled else { return nil }
            state.isPaused = true
            // The stopped task's failure no longer counts.
            state.stopped.insert(state.generation)
            state.generation = starts.add(1, ordering: .relaxed).newValue
            return state.task
        }
        task?.cancel()
    }

    /// Resumes a call that was stopped.
    package func proceed() { begin(ifPaused: true) }

    private func begin(ifPaused: Bool = false) {
        if ifPaused, !isSuspended { return }
        let (events, feed) = AsyncStream.makeStream(of: TransferProgress.self)
        let generation = starts.add(1, ordering: .relaxed).newValue
        // Before the lock: other calls with the same key are cancelled here.
        let beginning = CallBeginning.started(id, call.request, wanted: call.output.wanted) { [weak self] event in
            // The result may hold the resource that holds this: a strong reference would keep both alive.
            feed.yield(event)
            self?.tell(event, generation)
        }
        let begun = state.withLock { state -> (old: Task<Void, Never>?, new: Task<Void, Never>)? in
            if ifPaused, !state.isPaused || state.isCancelled { return nil }
            if !ifPaused { (state.stopped, state.late) = ([], nil) }
            let old = state.task
            let new = Task {
                // Two downloads may not write one file: the next begins when the last has released it.
                if self.call.output.isExclusive { await old?.value }
                if let late = self.state.withLock({ state in state.late.take() }) {
                    beginning.end()
                    self.finish(.success(late), generation)
                } else {
                    self.finish(await self.result(of: beginning), generation)
                }
                feed.finish()
            }
            state.generation = generation
            state.task = new
            state.result = nil
            state.isSilent = false
            state.isPaused = false
            state.isCancelled = false
            state.latest = nil
            return (old, new)
        }
        guard let (old, new) = begun else { return beginning.end() }
        old?.cancel()
        beginning.attach(new)
        delivery?(events, self, generation)
    }

    private func result(of beginning: CallBeginning) async -> Result<Output, any Error> {
        defer { beginning.end() }
        do {
            try Task.checkCancellation()
            try beginning.check()
            return .success(try await call.send(beginning))
        } catch {
            return .failure(error)
        }
    }

    private func tell(_ event: TransferProgress, _ generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.latest = event
            for stream in state.streams.values { stream.yield(event) }
        }
    }

    private func finish(_ result: Result<Output, any Error>, _ generation: Int) {
        let (waiters, streams) = state.withLock { state in
            if state.generation != generation { state.keep(result, of: generation) }
            guard state.generation == generation else {
                return ([], [])
                    as ([CheckedContinuation<Output, any Error>], [AsyncStream<TransferProgress>.Continuation])
            }
            state.result = result
            // A stopped task may still hold the file: a restart waits for it.
            if !state.isPaused { state.task = nil }
            state.isPaused = false
            (state.stopped, state.late) = ([], nil)
            defer {
                state.waiters = [:]
                state.streams = [:]
            }
            return (Array(state.waiters.values), Array(state.streams.values))
        }
        for waiter in waiters { waiter.resume(with: result) }
        for stream in streams { stream.finish() }
    }

    /// Whether a start is the latest one.
    func isLatest(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

    /// The result of a start for its completion; `nil` if it is not reported.
    func resultToTell(_ generation: Int) -> Result<Output, any Error>? {
        state.withLock { state in
            guard state.generation == generation, let result = state.result else { return nil }
            if state.isSilent, case .failure(is CancellationError) = result { return nil }
            return result
        }
    }
}

/// Whether a completion is called when its call is cancelled.
public enum CancelMode: Sendable, Hashable {
    /// The completion receives `CancellationError`.
    case reported
    /// The completion is not called.
    case silent
}
