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

    /// Told if a reader has waited for too long, so that no other begins.
    fileprivate let onStall: @Sendable () -> Void

    /// - Parameters:
    ///   - expected: How many bytes will come, if that is known.
    ///   - onStall: Told if a reader has waited for too long.
    init(expected: Int?, onStall: @escaping @Sendable () -> Void) {
        self.onStall = onStall
        var bytes: [UInt8] = []
        // What has not come yet isn't counted, so little room is made for it.
        bytes.reserveCapacity(min(expected ?? 0, 64 << 10))
        state = Mutex(State(bytes: bytes))
    }

    /// Whether anybody else has begun to read it.
    var isFollowed: Bool { state.withLock(\.isFollowed) }

    /// Somebody is about to read it, so it must be fed to its end.
    func follow() { state.withLock { $0.isFollowed = true } }

    /// How many bytes there are.
    var count: Int { state.withLock(\.bytes.count) }

    /// Takes bytes; they are copied, since a transport's buffer may be much larger than what it holds.
    func append(_ chunk: ByteChunk) {
        wake { state in chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0) } }
    }

    /// Nothing follows.
    ///
    /// - Returns: All of it.
    func finish() -> ByteChunk {
        wake { $0.phase = .whole }
        return ByteChunk(state.withLock(\.bytes))
    }

    /// The rest won't come: readers get what there is, then an error.
    func fail() { wake { $0.phase = .broken } }

    /// A reader from the start.
    ///
    /// - Parameters:
    ///   - clock: The reader's clock.
    ///   - length: The body's length; `nil` if it is not known.
    ///   - limit: How long the reader may wait for the next bytes, by its own settings; `nil` for no limit of its own.
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

    /// The next bytes behind a position; `nil` at the end.
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
                case .broken: throw TransportFailure(.truncated, "the body that another call received broke off")
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
/// The one who receives it may read slowly, or not at all: a reader that has waited for long gives up. The response is
/// hidden then, so that if the request is sent again, it goes to the server. Only calls that have waited for the head
/// follow a body, not one that the receiver itself makes meanwhile.
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
                // Another reader may have more time than this one.
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

    // A waiting reader is cancelled with its task.
    func cancel() { state.withLock { $0.isCancelled = true } }
}
