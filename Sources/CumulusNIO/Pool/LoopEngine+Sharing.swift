// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Connections that many exchanges share.
extension LoopEngine {
    /// Begins an exchange on a connection with room for it.
    func begin(_ exchange: NIOExchange, on connection: HTTP2Connection) {
        if let failure = connection.refusal(of: exchange) { return connectionFailed(exchange, failure) }
        connection.idleSince = nil
        connection.monitor?.note(.active)
        connection.begin(exchange)
    }

    /// An attempt has led to a shared connection: it serves all waiting exchanges, and other attempts are abandoned.
    func attemptSucceeded(_ attempt: ConnectionAttempt, _ connection: HTTP2Connection) {
        let slot = attempt.slot
        slot.attempts[attempt.number] = nil
        let (surplus, connecting) = slot.pool.openedShared(attempt.number, isExclusive: slot.key.isForLargeHeads)
        for number in surplus { slot.attempts.removeValue(forKey: number)?.abandon() }
        connection.isPooled = true
        slot.shared.append(connection)
        if let onConnectionEvent = configuration.onConnectionEvent {
            connection.monitor = ConnectionMonitor(slot.origin, "h2", to: connection.remoteAddress, onConnectionEvent)
        }
        streamsChanged(connection)
        // Exchanges that found no room now wait for room, not for a connection.
        for number in connecting {
            guard let waiter = slot.pool.waiter(number), case .connecting = waiter.state,
                slot.attempts[number] == nil
            else { continue }
            waiter.enter(.queued(slot, number: number))
        }
    }

    /// The only attempt, for which all exchanges in line waited, has failed, and so have they.
    func sharedAttemptFailed(_ attempt: ConnectionAttempt, _ failure: TransportFailure) {
        let slot = attempt.slot
        var waiters: [NIOExchange] = []
        while let waiter = slot.pool.popShared() { waiters.append(waiter) }
        _ = slot.pool.failed(attempt.number)
        tidy(slot)
        for waiter in waiters {
            remove(waiter)
            waiter.fail(failure)
        }
        reportIfDrained()
    }

    /// The streams of a connection have changed: it may have room for waiting exchanges, or no exchanges any more.
    func streamsChanged(_ connection: HTTP2Connection) {
        let slot = connection.slot
        while connection.canOpen, let waiter = slot.pool.popShared() { begin(waiter, on: connection) }
        guard connection.isEmpty, connection.isPooled, connection.idleSince == nil else { return }
        if connection.isDraining || drained != nil { return closeIdle(connection) }
        connection.idleSince = .now
        connection.monitor?.note(.idle)
        limitIdleConnections()
        startReaping()
    }

    /// A connection accepts no more exchanges; its running ones may finish.
    func connectionIsDraining(_ connection: HTTP2Connection) {
        let slot = connection.slot
        guard let index = slot.shared.firstIndex(where: { $0 === connection }) else { return }
        slot.shared.remove(at: index)
        connection.idleSince = nil
        connect(slot, for: slot.pool.drainShared())
    }

    /// A connection is closed, or about to be.
    func connectionIsGone(_ connection: HTTP2Connection) {
        guard connection.isPooled else { return }
        connectionIsDraining(connection)
        connection.isPooled = false
        let slot = connection.slot
        connect(slot, for: slot.pool.retire())
        tidy(slot)
        reportIfDrained()
    }

    /// Closes an unused connection.
    func closeIdle(_ connection: HTTP2Connection) {
        if drained == nil || isHurried {
            connection.close()
        } else {
            parting.append(connection)
            connection.part { [weak connection] in
                self.parting.removeAll { $0 === connection }
                self.reportIfDrained()
            }
        }
        connectionIsGone(connection)
    }

    /// The peer didn't process a request, on a connection that may have served others.
    func refused(_ exchange: NIOExchange, afterAnswers: Bool) {
        // A peer that has begun to respond can't claim that it hasn't processed the request.
        if exchange.hasHead {
            return connectionFailed(
                exchange,
                .connectionLost(hasHead: true, code: nil, fate: exchange.fate, cause: nil)
            )
        }
        var failure = TransportFailure(
            .connectionClosed,
            "\(exchange.request.origin) refused the request before reading it",
            fate: .unprocessed
        )
        failure.connectionHadServed = afterAnswers
        connectionFailed(exchange, failure)
    }

    /// Sends an exchange and all further ones of its origin over HTTP/1.1, which the origin requires; false if the
    /// request requires HTTP/2.
    func takesHTTP1(_ exchange: NIOExchange) -> Bool {
        guard exchange.outgoing.version == .automatic else { return false }
        remember(exchange.request.origin) { $0.requiresHTTP1 = true }
        return true
    }

    /// The version for an exchange, as far as it is known before the handshake.
    func version(for exchange: NIOExchange) -> HTTPVersion {
        let version = exchange.outgoing.version
        return version == .automatic && memory(of: exchange.request.origin).requiresHTTP1 ? .http1 : version
    }
}
