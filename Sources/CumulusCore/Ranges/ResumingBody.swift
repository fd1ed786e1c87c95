// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body that is resumed where it breaks off, if the server has it still in the same state.
///
/// No follow-up: it asks for other bytes, and not for the same again.
final class ResumingBody: ResponseBodySource {
    /// Shorter bodies are not worth asking for a part of.
    static let shortest: Int64 = 65_536

    private struct State {
        var body: ResponseBody
        var received: Int64 = 0
        var failures = 0
        var tries = 0
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let known: RemoteState
    private let pause: @Sendable (Int) async throws -> Bool
    private let reopen: @Sendable (RangeQuestion) async throws -> ResponseBody?

    /// - Parameters:
    ///   - body: The body.
    ///   - known: The state that it is of.
    ///   - pause: Waits before the try of a number, the first of which is 1; false if there is to be none.
    ///   - reopen: Asks for the rest; `nil` if that is not what comes.
    init(
        _ body: ResponseBody,
        of known: RemoteState,
        pause: @escaping @Sendable (Int) async throws -> Bool,
        reopen: @escaping @Sendable (RangeQuestion) async throws -> ResponseBody?
    ) {
        state = Mutex(State(body: body))
        self.known = known
        self.pause = pause
        self.reopen = reopen
    }

    /// How often its rest was asked for.
    var tries: Int { state.withLock(\.tries) }

    func next() async throws -> ResponseBodyElement {
        while true {
            let body = state.withLock(\.body)
            do {
                let chunk = try await body.next()
                let count = Int64(chunk?.count ?? 0)
                let isMended = state.withLock { state in
                    state.received += count
                    return state.failures > 0
                }
                if isMended { try check(isEnd: chunk == nil) }
                guard let chunk else { return .end(body.end ?? ExchangeEnd()) }
                return .bytes(chunk)
            } catch {
                try await resume(after: error)
            }
        }
    }

    func cancel() {
        let body = state.withLock { state in
            state.isCancelled = true
            return state.body
        }
        body.cancel()
    }

    /// A rest that is not framed by its length may be shorter or longer than its head says.
    private func check(isEnd: Bool) throws {
        guard let length = known.length else { return }
        let received = state.withLock(\.received)
        if isEnd, received < length {
            throw TransportFailure(.truncated, "the body should have \(length) bytes, but has only \(received)")
        }
        if received > length {
            throw TransportFailure(.malformedResponse, "the body has more than the announced \(length) bytes")
        }
    }

    /// Puts the rest in the body's place; throws the error if there is none to be had.
    private func resume(after error: any Error) async throws {
        guard let failure = error as? TransportFailure, failure.isBreak else { throw error }
        while true {
            let (failures, received) = state.withLock { state in
                state.failures += 1
                return (state.failures, state.received)
            }
            guard received > 0, try await pause(failures) else { throw error }
            state.withLock { $0.tries += 1 }
            let question = RangeQuestion(start: received, isRanged: true, known: known)
            let rest: ResponseBody?
            do {
                rest = try await reopen(question)
            } catch let problem as CumulusError where problem.isBreak {
                continue
            }
            guard let rest else { throw error }
            let isCancelled = state.withLock { state in
                state.body = rest
                return state.isCancelled
            }
            guard isCancelled else { return }
            rest.cancel()
            throw CancellationError()
        }
    }
}

extension TransportFailure {
    /// Whether a body that broke off so may be asked for again.
    fileprivate var isBreak: Bool {
        switch kind {
        case .truncated, .connectionClosed, .other: true
        case .timeout(let phase): phase != .total
        default: false
        }
    }
}
