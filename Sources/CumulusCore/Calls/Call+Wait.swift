// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

extension Call {
    /// Sends the call and blocks the calling thread until it ends: for scripts and your own threads.
    ///
    /// It refuses to run if it would wait for itself: in a task (the pool has few threads, which must not block), on
    /// one of the transport's threads, and on the main thread if your hooks, or an authorizer that may wait, could need
    /// the main actor.
    ///
    /// - Parameter hooksAvoidMainActor: Your promise that no hook needs the main actor, so that the main thread
    ///   may block.
    /// - Returns: The call's output.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/wouldDeadlock`` if it refuses; otherwise, the errors of
    ///   ``send()``.
    @available(*, noasync, message: "waiting blocks a thread that the response may need; use `try await send()`")
    public func wait(hooksAvoidMainActor: Bool = false) throws -> Output {
        if let reason = refusal(hooksAvoidMainActor) {
            throw CumulusError(.wouldDeadlock, stage: .preflight, "a blocking call is not allowed here: \(reason)")
        }
        let outcome = Outcome<Output>()
        Task.detached {
            do { outcome.set(.success(try await send())) } catch { outcome.set(.failure(error)) }
        }
        return try outcome.wait().get()
    }

    private func refusal(_ hooksAvoidMainActor: Bool) -> String? {
        if withUnsafeCurrentTask(body: { $0 != nil }) {
            return "the caller is a task, and other tasks may need its thread; use `try await send()`"
        }
        if resource.snapshot.transport.isOnOwnThread {
            return "this is one of the transport's own threads, so no response could arrive"
        }
        if !hooksAvoidMainActor, isMainThread, hasHooks {
            return "it would block the main actor, which hooks or an authorizer may need; use `send()`, or call from "
                + "another thread"
        }
        return nil
    }

    /// Whether the call runs code that the library doesn't know.
    private var hasHooks: Bool {
        let settings = resource.snapshot
        let authorizers = settings.pipeline.attemptLoop.stages.authorization?.authorizers.authorizers ?? []
        return settings.pipeline.tracking.hasHooks || !settings.value(PreflightsKey.self).isEmpty
            || authorizers.contains { $0.authorizer.mayWait && !$0.authorizer.avoidsMainActor }
    }

    /// Whether the calling thread runs the main queue, on which the main actor works.
    private var isMainThread: Bool { DispatchQueue.getSpecific(key: mainQueueMark) ?? false }
}

/// Set on the main queue only: with an async `main`, a thread other than the first one runs it.
private let mainQueueMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// A result that a thread waits for.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        isThere.signal()
    }

    func wait() -> Result<Value, any Error> {
        isThere.wait()
        return result.withLock(\.self)
    }
}
