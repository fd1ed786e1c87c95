// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One wait for standard input, ended once: by the read bytes, or by cancellation.
final class InputWaiter: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<[UInt8], any Error>)
        case ended(Result<[UInt8], any Error>)
        case delivered
    }

    private let state = Mutex(State.new)

    /// Sets the waiting continuation; resumes it immediately if the wait has already ended.
    func begin(_ continuation: CheckedContinuation<[UInt8], any Error>) {
        let result: Result<[UInt8], any Error>? = state.withLock { state in
            guard case .ended(let result) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .delivered
            return result
        }
        if let result { continuation.resume(with: result) }
    }

    /// Ends the wait; only the first end counts.
    func finish(_ result: Result<[UInt8], any Error>) {
        let waiting: CheckedContinuation<[UInt8], any Error>? = state.withLock { state in
            switch state {
            case .waiting(let continuation):
                state = .delivered
                return continuation
            case .new: state = .ended(result)
            case .ended, .delivered: break
            }
            return nil
        }
        waiting?.resume(with: result)
    }
}
