// SPDX-License-Identifier: Apache-2.0

import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of one exchange over URLSession.
///
/// Events of the session's delegate and of the reader go in, actions come out. No I/O, no clock, no locks.
struct ExchangeStateMachine {
    private enum State {
        /// Left by `head` (to `streaming`), `completed`, `fail` (to `over`).
        case awaitingHead
        /// Left when the reader gets the end or an error (to `over`), or by `fail`.
        case streaming(Unread)
        /// The end; every later read gets the error.
        case over((any Error)?)
    }

    /// The received bytes that were not read yet.
    private struct Unread {
        var chunks: [Data] = []
        var count = 0
        var isReaderWaiting = false
        var isHeldBack = false
        /// How the body ended, once the session has reported it.
        var ending: Result<Void, any Error>?
    }

    /// An action for the driver.
    enum Action {
        /// Let `send` return.
        case deliverHead
        /// Let `send` throw.
        case failHead(any Error)
        /// Let the waiting read return bytes.
        case deliver(Data)
        /// Let the waiting read return the end.
        case deliverEnd
        /// Let the waiting read throw.
        case failRead(any Error)
        /// Make the session stop reading from the peer.
        case holdBack
        /// Make the session read again.
        case letGo
        /// Let the session send the request.
        case startTask
        /// End the session's task.
        case cancelTask
        /// The exchange has ended: stop the watch, remove the files.
        case cleanUp
    }

    /// How to respond to a challenge for credentials.
    enum Challenge {
        /// Continue without credentials; the response itself arrives later.
        case withoutCredentials
        /// The whole response arrived before the challenge: end the task.
        case end
    }

    /// Above this many unread bytes the peer is held back; below half of it, it is resumed.
    let highWatermark: Int
    /// At this many unread bytes the exchange fails: the session could not be held back.
    let unreadLimit: Int
    private var state = State.awaitingHead

    init(highWatermark: Int, unreadLimit: Int) {
        self.highWatermark = highWatermark
        self.unreadLimit = unreadLimit
    }

    /// The phase in which the caller waits for the peer; `nil` if it doesn't wait.
    var awaitedPhase: TransportFailure.Phase? {
        switch state {
        case .awaitingHead: .response
        case .streaming(let unread): unread.ending == nil && !unread.isHeldBack ? .idle : nil
        case .over: nil
        }
    }

    /// Whether the reader has received everything, or will get an error.
    var isOver: Bool { if case .over = state { true } else { false } }

    /// The caller waits for the head; an exchange that has ended before, as by a shutdown, isn't sent.
    mutating func start() -> [Action] {
        guard case .over(let error) = state else { return [.startTask] }
        return [.cancelTask, .failHead(error ?? CancellationError())]
    }

    /// The response's head arrived.
    mutating func head() -> [Action] {
        guard case .awaitingHead = state else { return [] }
        state = .streaming(Unread())
        return [.deliverHead]
    }

    /// Bytes of the body arrived.
    mutating func data(_ data: Data) -> [Action] {
        // After the end, as after a challenge, more bytes are not part of the body.
        guard case .streaming(var unread) = state, unread.ending == nil, !data.isEmpty else { return [] }
        if unread.isReaderWaiting {
            unread.isReaderWaiting = false
            state = .streaming(unread)
            return [.deliver(data)]
        }
        unread.chunks.append(data)
        unread.count += data.count
        guard unread.count < unreadLimit else {
            return fail(
                TransportFailure(.other, "more than \(unreadLimit) bytes of the body are unread", fate: .unknown)
            )
        }
        let holdsBack = unread.count >= highWatermark && !unread.isHeldBack
        if holdsBack { unread.isHeldBack = true }
        state = .streaming(unread)
        return holdsBack ? [.holdBack] : []
    }

    /// The session's task ended.
    mutating func completed(_ error: (any Error)?) -> [Action] {
        switch state {
        case .awaitingHead:
            let failure = error ?? TransportFailure(.connectionClosed, "there was no response", fate: .unknown)
            state = .over(failure)
            return [.failHead(failure), .cleanUp]
        case .streaming(var unread):
            guard unread.ending == nil else { return [] }
            unread.ending = error.map { .failure($0) } ?? .success(())
            guard unread.isReaderWaiting else {
                state = .streaming(unread)
                return [.cleanUp]
            }
            state = .over(error)
            return [error.map { .failRead($0) } ?? .deliverEnd, .cleanUp]
        case .over: return []
        }
    }

    /// The server asked for credentials.
    ///
    /// On Linux the response was delivered before, on Apple's systems it wasn't.
    mutating func challenged() -> (Challenge, [Action]) {
        guard case .streaming = state else { return (.withoutCredentials, []) }
        return (.end, completed(nil))
    }

    /// The reader asks for more: it gets the received bytes immediately, or waits.
    mutating func read() -> [Action] {
        guard case .streaming(var unread) = state else {
            if case .over(let error?) = state { return [.failRead(error)] }
            return [.deliverEnd]
        }
        if !unread.chunks.isEmpty {
            let chunk = unread.chunks.removeFirst()
            unread.count -= chunk.count
            let letsGo = unread.isHeldBack && unread.count <= highWatermark / 2
            if letsGo { unread.isHeldBack = false }
            state = .streaming(unread)
            return letsGo ? [.letGo, .deliver(chunk)] : [.deliver(chunk)]
        }
        switch unread.ending {
        case .success:
            state = .over(nil)
            return [.deliverEnd]
        case .failure(let error):
            state = .over(error)
            return [.failRead(error)]
        case nil:
            unread.isReaderWaiting = true
            state = .streaming(unread)
            return []
        }
    }

    /// The caller cancelled, or a deadline passed: unread bytes are lost.
    mutating func fail(_ error: any Error) -> [Action] {
        switch state {
        case .awaitingHead:
            state = .over(error)
            return [.cancelTask, .failHead(error), .cleanUp]
        case .streaming(let unread):
            state = .over(error)
            var actions: [Action] = unread.ending == nil ? [.cancelTask] : []
            if unread.isReaderWaiting { actions.append(.failRead(error)) }
            return actions + [.cleanUp]
        case .over: return []
        }
    }
}
