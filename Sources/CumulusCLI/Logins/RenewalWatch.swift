// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The renewals of tokens under way, which a run ends before the process does: a server may accept a refresh token only
/// once, so the one that replaces it must not be lost.
final class RenewalWatch: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Ends with the last renewal, once no other can begin.
    private let end: AsyncStream<Never>
    private let ending: AsyncStream<Never>.Continuation

    init() { (end, ending) = AsyncStream.makeStream() }

    /// Runs a renewal that the end of the run waits for.
    ///
    /// - Throws: `CancellationError` if the run is ending; any error of the renewal.
    func watching<Result: Sendable>(_ renewal: @Sendable () async throws -> Result) async throws -> Result {
        let mayBegin = state.withLock { state in
            if !state.isClosed { state.count += 1 }
            return !state.isClosed
        }
        guard mayBegin else { throw CancellationError() }
        defer {
            let isLast = state.withLock { state in
                state.count -= 1
                return state.isClosed && state.count == 0
            }
            if isLast { ending.finish() }
        }
        return try await InterruptSignal.finishing(renewal)
    }

    /// Waits for the renewals under way, and lets no other begin.
    ///
    /// - Parameters:
    ///   - limit: The longest wait.
    ///   - onWait: Called if there is anything to wait for.
    func finish(within limit: Duration, onWait: () -> Void) async {
        let count = state.withLock { state in
            state.isClosed = true
            return state.count
        }
        guard count > 0 else { return }
        onWait()
        await withTaskGroup(of: Void.self) { group in
            // A cancelled stream ends, too.
            group.addTask { for await _ in self.end {} }
            // The process is ending: no request's clock applies any more.
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
