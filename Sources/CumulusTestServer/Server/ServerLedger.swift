// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The events of a server so far: its counts, its bounded log, and the waiters for a count.
final class ServerLedger: Sendable {
    private struct Waiter {
        var condition: @Sendable (LoopbackServer.Counts) -> Bool
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var counts = LoopbackServer.Counts()
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
        var requests: [ServerRequest] = []
        var loggedBytes = 0
        var failures: [String] = []
        var rawInput: [Int: [UInt8]] = [:]
        var nextWaiter = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Mutex(State())
    private let logLimit: Int
    private let loggedBytesLimit: Int

    init(logLimit: Int, loggedBytesLimit: Int) {
        self.logLimit = logLimit
        self.loggedBytesLimit = loggedBytesLimit
    }

    var counts: LoopbackServer.Counts { state.withLock(\.counts) }
    var requests: [ServerRequest] { state.withLock(\.requests) }
    var failures: [String] { state.withLock(\.failures) }
    var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

    /// Counts and records a channel from its acceptance until it closes; closes it immediately if the server has
    /// closed.
    ///
    /// It counts before anything is sent, so a client that was refused finds itself counted. The channel may never be
    /// served, if the listener closes in the meantime.
    func accept(_ channel: any Channel) -> ConnectionAcceptor.Accepted {
        let id = ObjectIdentifier(channel)
        channel.closeFuture.whenComplete { [self] _ in
            change { state in
                state.channels[id] = nil
                state.counts.openConnections -= 1
            }
        }
        let (number, isClosed) = change { state in
            if !state.isClosed { state.channels[id] = channel }
            state.counts.connectionsAccepted += 1
            state.counts.openConnections += 1
            return (state.counts.connectionsAccepted, state.isClosed)
        }
        if isClosed { channel.close(promise: nil) }
        return ConnectionAcceptor.Accepted(channel: channel, number: number)
    }

    /// Accepts no more channels, and returns the open ones.
    func close() -> [any Channel] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
    }

    /// Counts the beginning or end of a stream of an HTTP/2 connection.
    func countStreams(_ change: Int) { self.change { $0.counts.openStreams += change } }

    /// Counts a request whose head arrived, before its body; returns its number.
    @discardableResult
    func began() -> Int {
        change { state in
            state.counts.requestsBegun += 1
            return state.counts.requestsBegun
        }
    }

    /// Logs a request that is passed to its route; the oldest are removed first.
    func received(_ request: ServerRequest) {
        change { state in
            state.counts.requestsReceived += 1
            state.requests.append(request)
            state.loggedBytes += request.body.count
            while state.requests.count > logLimit
                || (state.loggedBytes > loggedBytesLimit && state.requests.count > 1)
            {
                state.loggedBytes -= state.requests.removeFirst().body.count
            }
        }
    }

    /// Counts a response that was sent completely.
    func answered() { change { $0.counts.requestsAnswered += 1 } }

    func sent(_ bytes: Int) { change { $0.counts.bytesSent += bytes } }
    func bodyBytesRead(_ bytes: Int) { change { $0.counts.bodyBytesRead += bytes } }

    /// Keeps the bytes that a raw connection read, up to a MiB.
    func rawInput(_ bytes: [UInt8], connection: Int) {
        change { state in
            let room = 1024 * 1024 - state.rawInput[connection, default: []].count
            state.rawInput[connection, default: []] += bytes.prefix(max(0, room))
        }
    }

    func rawInput(connection: Int) -> [UInt8] { state.withLock { $0.rawInput[connection] ?? [] } }

    /// Records a failure on the server's side, or in a client's request.
    func failed(_ reason: String) {
        change { state in
            state.counts.failures += 1
            if state.failures.count < logLimit { state.failures.append(reason) }
        }
    }

    /// Waits until the counts meet a condition; throws `CancellationError` if the task is cancelled first.
    func wait(until condition: @escaping @Sendable (LoopbackServer.Counts) -> Bool) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.waiters[number] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                wakeWaiters()
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, isAwaited) = state.withLock { state in (body(&state), !state.waiters.isEmpty) }
        if isAwaited { wakeWaiters() }
        return value
    }

    /// Resumes the waiters whose condition is met.
    ///
    /// The conditions are a test's code and run outside the lock.
    private func wakeWaiters() {
        let (counts, waiters) = state.withLock { ($0.counts, $0.waiters) }
        for (number, waiter) in waiters where waiter.condition(counts) {
            let isMine = state.withLock { $0.waiters.removeValue(forKey: number) != nil }
            if isMine { waiter.continuation.resume() }
        }
    }
}
