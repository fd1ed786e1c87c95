// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Connections on which callers write their requests themselves.
extension LoopEngine {
    /// How many time checks without activity an offer survives: a second.
    private static var patience: Int { 25 }

    /// Lets callers write on an idle connection, as long as the time is checked.
    func offer(_ connection: HTTP1Connection, _ slot: OriginSlot) {
        guard slot.takesCallers, let socket = connection.offer() else { return }
        if socket.isNew { stack.put(socket.socket, for: slot.origin) }
        hasOffers = true
        startSweeping()
    }

    /// Adopts an exchange whose caller has written on an idle connection.
    func adopt(_ begun: CallerSocket.BegunExchange, _ connection: HTTP1Connection) {
        let exchange = begun.exchange
        adoptions += 1
        enlist(exchange)
        connection.begin(exchange, written: begun.written)
        if exchange.wasCancelledEarly { abandon(exchange, error: CancellationError()) }
    }

    /// Adopts all exchanges whose callers have written on idle connections.
    func adoptBegun() {
        guard hasOffers else { return }
        for slot in Array(slots.values) {
            for connection in slot.pool.idleConnections { connection.adoptBegun() }
        }
    }

    /// Closes a connection that was just removed from the pool, unless a caller was faster; a request in line may get
    /// another one in its place.
    func closeUnused(_ connection: HTTP1Connection, _ slot: OriginSlot) {
        if let begun = connection.withdraw() {
            slot.pool.readmit()
            adopt(begun, connection)
        } else {
            connection.close()
            connect(slot, for: slot.pool.attemptForNext())
        }
    }

    /// Withdraws offers after a while without activity, so that an idle program isn't woken up for them.
    func reviewOffers() {
        guard hasOffers else { return }
        quietSweeps = running.isEmpty && adoptions == 0 ? quietSweeps + 1 : 0
        adoptions = 0
        if quietSweeps < Self.patience { return startSweeping() }
        hasOffers = false
        quietSweeps = 0
        stack.clear()
        for slot in Array(slots.values) {
            for connection in slot.pool.idleConnections { connection.withdrawOffer(isOffStack: true) }
        }
    }
}
