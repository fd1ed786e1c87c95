// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// A body that is still being received, for readers that follow it at their own pace.
final class GrowingBody: Sendable {
    private enum Phase {
        case growing
        case whole
        case broken
    }

    private struct State {
        var bytes: [UInt8] = []
        var phase = Phase.growing
        var isFollowed = false
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state: Mutex<State>

    /// Called if a reader has waited for too long, so that no other one starts.
    fileprivate let onStall: @Sendable () -> Void

    /// - Parameters:
    ///   - expected: The number of bytes that will arrive, if it is known.
    ///   - onStall: A closure that is called if a reader has waited for too long.
    init(expected: Int?, onStall: @escaping @Sendable () -> Void) {
        self.onStall = onStall
        var bytes: [UInt8] = []
        // Bytes that haven't arrived aren't counted in the table, so little memory is reserved for them.
        bytes.reserveCapacity(min(expected ?? 0, 64 << 10))
        state = Mutex(State(bytes: bytes))
    }

    /// Whether another call has begun to read it.
    var isFollowed: Bool { state.withLock(\.isFollowed) }

    /// Records that another call is about to read it, so that it must receive all bytes.
    func follow() { state.withLock { $0.isFollowed = true } }

    /// The number of bytes so far.
    var count: Int { state.withLock(\.bytes.count) }

    /// Appends bytes.
    ///
    /// They are copied, since a transport's buffer may be much larger than its contents.
    func append(_ chunk: ByteChunk) {
        wake { state in chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0) } }
    }

    /// Records that the body is whole.
    ///
    /// - Returns: All bytes.
    func finish() -> ByteChunk {
        wake { $0.phase = .whole }
        return ByteChunk(state.withLock(\.bytes))
    }

    /// Records that the remaining bytes won't arrive.
    ///
    /// Readers receive the bytes so far, then an error.
    func fail() { wake { $0.phase = .broken } }

    /// Creates a reader from the start.
    ///
    /// - Parameters:
    ///   - clock: The reader's clock.
    ///   - length: The body's length; `nil` if it is not known.
    ///   - limit: The maximum time for which the reader may wait for the next bytes, by its own settings; `nil` for no
    ///     limit of its own.
    /// - Returns: The reader.
    func reader(on clock: any RequestClock, length: Int64?, waitingAtMost limit: Duration?) -> ResponseBody {
        ResponseBody(expectedLength: length, source: GrowingBodySource(self, clock, waitingAtMost: limit))
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The next bytes after a position; `nil` at the end.
    fileprivate func bytes(from position: Int) async throws -> ByteChunk? {
        while true {
            let found: ByteChunk?? = try state.withLock { state in
                if position < state.bytes.count {
                    let end = min(state.bytes.count, position + GrowingBody.mostAtOnce)
                    return ByteChunk(Array(state.bytes[position..<end]))
                }
                switch state.phase {
                case .growing: return nil
                case .whole: return .some(nil)
                case .broken:
                    throw TransportFailure(.truncated, "the body was cut off: the call that was receiving it failed")
                }
            }
            if let found { return found }
            try await waitForMore(than: position)
        }
    }

    private static let mostAtOnce = 256 << 10

    private func waitForMore(than position: Int) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let goesOn: Result<Void, any Error>? = state.withLock { state in
                    if state.bytes.count > position { return .success(()) }
                    guard case .growing = state.phase else { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let goesOn { continuation.resume(with: goesOn) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}

/// A reader of a growing body.
///
/// The call that receives the body may read slowly, or not at all, so a reader that has waited for a long time stops
/// waiting. The response is then hidden, so that the request goes to the server if it is sent again. Only calls that
/// have waited for the head follow a body. A call that the receiving code itself makes in the meantime doesn't.
private final class GrowingBodySource: ResponseBodySource {
    private let body: GrowingBody
    private let clock: any RequestClock
    private let state = Mutex<(position: Int, isCancelled: Bool)>((0, false))

    init(_ body: GrowingBody, _ clock: any RequestClock, waitingAtMost limit: Duration?) {
        self.body = body
        self.clock = clock
        patience = min(CacheEngine.patience, limit ?? CacheEngine.patience)
    }

    private let patience: Duration

    func next() async throws -> ResponseBodyElement {
        let (position, isCancelled) = state.withLock(\.self)
        if isCancelled { throw CancellationError() }
        let body = body
        guard position == body.count else { return try element(await body.bytes(from: position)) }
        let (clock, limit) = (clock, patience)
        let end = clock.now.advanced(by: limit)
        let bytes = try await withThrowingTaskGroup(of: ByteChunk?.self) { group in
            group.addTask { try await body.bytes(from: position) }
            group.addTask {
                try await clock.sleep(until: end)
                // Another reader may allow more time than this one.
                let hasStalled = limit >= CacheEngine.patience
                if hasStalled { body.onStall() }
                let reason =
                    hasStalled
                    ? "the call that receives the body has stopped"
                    : "the call that receives the body has received no bytes within this call's time limit"
                throw TransportFailure(.timeout(.idle), reason, limit: limit)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        return try element(bytes)
    }

    private func element(_ bytes: ByteChunk?) throws -> ResponseBodyElement {
        guard let bytes else { return .end(ExchangeEnd()) }
        let isCancelled = state.withLock { state in
            state.position += bytes.count
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
        return .bytes(bytes)
    }

    // The wait of a reader is cancelled with its task.
    func cancel() { state.withLock { $0.isCancelled = true } }
}
