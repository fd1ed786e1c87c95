// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

extension NIOExchange {
    /// How many stale connections one exchange may meet before it fails.
    private static var staleLimit: Int { 3 }
    /// How many refusals one exchange may meet before it fails, on connections that answered nothing: a server may
    /// refuse forever.
    private static var refusalLimit: Int { 3 }

    /// Whether the request may be sent again after its reused connection closed before a byte of the response.
    ///
    /// RFC 9110 section 9.2.2: an idempotent method, with a body that can still be sent.
    var mayBeSentAgain: Bool {
        if staleConnections >= Self.staleLimit { return false }
        if sent == .nothing { return request.body.canBeSent }
        return isRepeatable
    }

    /// Whether the request may be sent again although it may have arrived.
    var isRepeatable: Bool { request.body.isReplayable && isIdempotent }

    /// Whether the request may be sent again after a peer said that it didn't process it (RFC 9113 section 8.7): any
    /// method, as long as the body can still be sent.
    func mayBeSentAgain(bodyHasBegun: Bool, afterAnswers: Bool) -> Bool {
        (afterAnswers || refusals < Self.refusalLimit) && !hasHead && (request.body.isReplayable || !bodyHasBegun)
    }

    /// Starts over on another connection, although the stale one may have delivered the request.
    func startAgain() {
        staleConnections += 1
        if sent == .something {
            repetitions.closures += 1
            // The budget pays for it.
            request.listing?.noteRepetition()
        }
        sent = .nothing
    }

    /// Starts over after a peer has refused the request.
    func startAfterRefusal(afterAnswers: Bool) {
        if !afterAnswers { refusals += 1 }
        if sent == .something { repetitions.refusals += 1 }
        sent = .nothing
    }

    /// The error to fail with: the caller's error describes the last connection, but a retry depends on all of them.
    func complete(_ error: any Error) -> any Error {
        guard !repetitions.isEmpty, let failure = error as? TransportFailure else { return error }
        return TransportFailure(
            failure.kind,
            failure.message,
            sent: repetitions.closures > 0 ? .something : failure.sent,
            limit: failure.limit,
            elapsed: failure.elapsed,
            cause: failure.cause,
            repetitions: repetitions
        )
    }

    private var isIdempotent: Bool {
        switch request.method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: request.headers.idempotencyKey != nil
        }
    }

    /// Moves to another state and records the time, for the deadlines and the facts.
    func enter(_ next: State) {
        let now = request.clock.moment
        if case .queued = state { facts.phases.queue = now - stateStartedAt }
        state = next
        stateStartedAt = now
        lastActivity = now
        requestSentAt = nil
    }
}
