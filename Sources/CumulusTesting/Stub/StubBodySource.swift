// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// The steps of a stub's body, delivered one by one as they are requested.
final class StubBodySource: ResponseBodySource {
    private struct State {
        var steps: [StubResponse.Step]
        var received: Int64 = 0
        var isOver = false
    }

    private let state: Mutex<State>
    private let trailers: HTTPFields
    private let facts: ExchangeFacts
    private let pause: StubPause
    private let cancelled = Gate()
    private let onCancel: @Sendable () -> Void

    init(
        steps: [StubResponse.Step],
        trailers: HTTPFields,
        facts: ExchangeFacts,
        pause: StubPause,
        onCancel: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(steps: steps))
        self.trailers = trailers
        self.facts = facts
        self.pause = pause
        self.onCancel = onCancel
    }

    func next() async throws -> ResponseBodyElement {
        while true {
            try Task.checkCancellation()
            let step = state.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
            switch step {
            case .chunk(let bytes):
                if bytes.isEmpty { continue }
                state.withLock { $0.received += Int64(bytes.count) }
                return .bytes(ByteChunk(bytes))
            case .pause(let time): try await wait { [pause] in try await pause.wait(time, phase: .idle) }
            case .gate(let gate): try await wait { try await gate.wait() }
            case .fail(let error): throw error
            case nil: return .end(end())
            }
        }
    }

    func cancel() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        cancelled.open()
        if !wasOver { onCancel() }
    }

    /// Waits as a transport does: a cancellation ends it.
    private func wait(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask { [cancelled] in
                try await cancelled.wait()
                throw CancellationError()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func end() -> ExchangeEnd {
        var facts = facts
        facts.bytesReceived = state.withLock { state in
            state.isOver = true
            return state.received
        }
        return ExchangeEnd(trailers: trailers, facts: facts)
    }
}
