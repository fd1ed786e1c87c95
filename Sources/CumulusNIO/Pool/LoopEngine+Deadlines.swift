// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore

extension LoopEngine {
    /// How late a deadline may be noticed.
    private static var sweepInterval: TimeAmount { .milliseconds(40) }

    /// Checks all deadlines from time to time: cheaper than a timer for each, and on the request's own clock.
    func startSweeping() {
        if isSweeping { return }
        isSweeping = true
        eventLoop.scheduleTask(in: Self.sweepInterval) { self.sweep() }
    }

    private func sweep() {
        isSweeping = false
        adoptBegun()
        var overdue: [NIOExchange] = []
        for exchange in running where exchange.hasDeadlines || exchange.isReadingLongBody {
            startSweeping()
            exchange.observeContinue()
            exchange.observeReading()
            if exchange.overdue(at: exchange.request.clock.moment) != nil { overdue.append(exchange) }
        }
        for slot in Array(slots.values) where !slot.attempts.isEmpty || slot.hasAvoidedConnections {
            startSweeping()
            for attempt in Array(slot.attempts.values) {
                attempt.observeTime(at: .now)
                if attempt.isLate(at: .now) { connect(slot, for: slot.pool.noteLate(attempt.number)) }
            }
            useIdleConnections(of: slot)
        }
        for exchange in overdue {
            // Another exchange's end may have unblocked it.
            guard let failure = exchange.overdue(at: exchange.request.clock.moment) else { continue }
            if case .streaming(let stream) = exchange.state { stream.timedOut() }
            abandon(exchange, error: failure)
        }
        reviewOffers()
    }

    /// Lets requests that have avoided an idle connection use it once it is unlikely to be closed, if no other is open
    /// by then.
    private func useIdleConnections(of slot: OriginSlot) {
        if slot.pool.idleCount == 0 { return }
        for (number, waiter) in slot.pool.waiters where waiter.request.connection == .any {
            guard slot.pool.idleConnections.contains(where: { $0.reuse(by: waiter) == .allowed }) else { return }
            leaveLine(of: slot, number)
            lease(waiter)
        }
    }
}

extension NIOExchange {
    /// Whether a long response body arrives.
    var isReadingLongBody: Bool {
        guard case .active(let connection) = state else { return false }
        return connection.isReadingLongBody
    }

    /// Has the bytes of a slow body delivered as they come.
    func observeReading() {
        if case .active(let connection) = state { connection.observeReading() }
    }

    /// Sends a body that has waited long enough for the server's permission.
    func observeContinue() {
        guard outgoing.continueWait != nil, case .active(let connection) = state else { return }
        connection.observeContinue(at: request.clock.moment)
    }

    /// The failure, if a deadline has passed.
    func overdue(at now: Moment) -> TransportFailure? {
        let deadlines = request.deadlines
        if let total = deadlines.end, now >= total {
            // The limit as it was set, not the part of it that earlier attempts have left.
            guard let whole = deadlines.whole else {
                return timeout(.total, limit: total - startedAt, since: startedAt, now, "the exchange with")
            }
            return timeout(.total, limit: whole, elapsed: now - total + whole, "the call to")
        }
        switch state {
        case .queued:
            guard let limit = deadlines.poolWait, now - stateStartedAt >= limit else { return nil }
            return timeout(.poolWait, limit: limit, since: stateStartedAt, now, "waiting for a connection to")
        case .connecting:
            guard let limit = deadlines.connect, now - stateStartedAt >= limit else { return nil }
            return timeout(.connect, limit: limit, since: stateStartedAt, now, "connecting to")
        case .active(let connection):
            connection.observeSending()
            let (isConsumer, isSource) = (connection.isWaitingForConsumer, connection.isWaitingForSource)
            let (isWaiting, isSending) = (!isConsumer && !isSource, connection.isSending)
            return lateHead(at: now)
                ?? silence(at: now, isWaitingForConsumer: isConsumer, isWaitingForSource: isSource)
                ?? trickle(at: now, isWaitingForPeer: isWaiting, isSending: isSending, connection.unsentBytes)
        case .streaming(let stream):
            let (isConsumer, isSource) = (stream.isWaitingForConsumer, stream.isWaitingForSource)
            let (isWaiting, isSending) = (!isConsumer && !isSource, !stream.state.isRequestWhole)
            return lateHead(at: now)
                ?? silence(at: now, isWaitingForConsumer: isConsumer, isWaitingForSource: isSource)
                ?? trickle(at: now, isWaitingForPeer: isWaiting, isSending: isSending, 0)
        case .created, .finished:
            return nil
        }
    }

    private func lateHead(at now: Moment) -> TransportFailure? {
        guard !hasHead, let limit = request.deadlines.response, let requestSentAt, now - requestSentAt >= limit else {
            return nil
        }
        return timeout(.response, limit: limit, since: requestSentAt, now, "waiting for the response of")
    }

    /// The failure of an exchange in which nothing moves, unless the consumer wants it so.
    private func silence(
        at now: Moment,
        isWaitingForConsumer: Bool,
        isWaitingForSource: Bool
    ) -> TransportFailure? {
        guard let limit = request.deadlines.idle, !isWaitingForConsumer, now - lastActivity >= limit else { return nil }
        if isWaitingForSource {
            return timeout(.idle, limit: limit, since: lastActivity, now, "waiting for more of the body to send to")
        }
        let phase = hasHead ? TransportFailure.Phase.idle : .response
        let subject = hasHead ? "waiting for more bytes from" : "waiting for the response of"
        return timeout(phase, limit: limit, since: lastActivity, now, subject)
    }

    /// The failure of a body that moves too slowly, although it never stops for long.
    private func trickle(
        at now: Moment,
        isWaitingForPeer: Bool,
        isSending: Bool,
        _ unsent: Int
    ) -> TransportFailure? {
        guard let minimum = rateWatch?.minimum else { return nil }
        // While a server prepares its response, no bytes are expected.
        let isMoving = isWaitingForPeer && (hasHead || isSending)
        let count = facts.bytesReceived + facts.bytesSent - Int64(unsent)
        guard rateWatch?.isTooSlow(count, isWaitingForPeer: isMoving, at: now) == true else { return nil }
        return TransportFailure(
            .timeout(.rate),
            "gave up on \(request.origin) after \(SpokenDuration(now - startedAt)): the transfer was slower than \(minimum)",
            fate: fate,
            limit: minimum.period,
            elapsed: now - startedAt
        )
    }

    private func timeout(
        _ phase: TransportFailure.Phase,
        limit: Duration,
        since start: Moment,
        _ now: Moment,
        _ subject: String
    ) -> TransportFailure { timeout(phase, limit: limit, elapsed: now - start, subject) }

    private func timeout(
        _ phase: TransportFailure.Phase,
        limit: Duration,
        elapsed: Duration,
        _ subject: String
    ) -> TransportFailure {
        .timeout(
            phase,
            "\(subject) \(request.origin)\(outgoing.route.words)",
            limit: limit,
            elapsed: elapsed,
            fate: fate
        )
    }
}
