// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Connections that many exchanges share.
extension LoopEngine {
    /// Begins an exchange on a connection with room for it.
    func begin(_ exchange: NIOExchange, on connection: HTTP2Connection) {
        if connection.idleSince != nil {
            connection.idleSince = nil
            idleCount -= 1
        }
        connection.begin(exchange)
    }

    /// An attempt has led to a shared connection: it serves all who wait, and other attempts are given up.
    func attemptSucceeded(_ attempt: ConnectionAttempt, _ connection: HTTP2Connection) {
        let slot = attempt.slot
        slot.attempts[attempt.ticket] = nil
        for ticket in slot.pool.openedShared(attempt.ticket) {
            slot.attempts.removeValue(forKey: ticket)?.abandon()
        }
        connection.isPooled = true
        slot.shared.append(connection)
        streamEnded(connection)
        // Whoever found no room waits for that now, not for a connection.
        for (ticket, waiter) in slot.pool.waiters {
            if case .connecting = waiter.state { waiter.enter(.queued(slot, ticket: ticket)) }
        }
    }

    /// The one attempt that all in line waited for has failed, and so all of them.
    func sharedAttemptFailed(_ attempt: ConnectionAttempt, _ failure: TransportFailure) {
        let slot = attempt.slot
        var waiters: [NIOExchange] = []
        while let waiter = slot.pool.popShared() { waiters.append(waiter) }
        _ = slot.pool.failed(attempt.ticket)
        tidy(slot)
        for waiter in waiters {
            remove(waiter)
            waiter.fail(failure)
        }
        reportIfDrained()
    }

    /// A connection has room, or carries nothing any more.
    func streamEnded(_ connection: HTTP2Connection) {
        let slot = connection.slot
        while connection.canOpen, let waiter = slot.pool.popShared() { begin(waiter, on: connection) }
        guard connection.isEmpty, connection.isPooled, connection.idleSince == nil else { return }
        if connection.isDraining || drained != nil { return closeIdle(connection) }
        connection.idleSince = .now
        idleCount += 1
        if idleCount > configuration.maximumIdleConnections { evictOldestIdle() }
        startReaping()
    }

    /// A connection takes no more exchanges; those that it carries may end.
    func connectionIsDraining(_ connection: HTTP2Connection) {
        let slot = connection.slot
        guard let index = slot.shared.firstIndex(where: { $0 === connection }) else { return }
        slot.shared.remove(at: index)
        if connection.idleSince != nil {
            connection.idleSince = nil
            idleCount -= 1
        }
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

    /// Closes a connection that nobody uses.
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

    /// The peer didn't look at a request: it is sent again where its body is still there.
    func refused(_ exchange: NIOExchange, bodyHasBegun: Bool) {
        if drained == nil, exchange.mayBeSentAgain(bodyHasBegun: bodyHasBegun) {
            exchange.refusals += 1
            exchange.sent = .nothing
            return lease(exchange, fresh: false)
        }
        remove(exchange)
        exchange.fail(
            TransportFailure(
                .connectionClosed,
                "\(exchange.request.origin) refused the request before reading it",
                sent: .nothing
            )
        )
    }
}
