// SPDX-License-Identifier: Apache-2.0

/// An exchange that can be ended by others than the task that waits for it.
public protocol CancellableExchange: AnyObject, Sendable {
    /// Ends the exchange: whoever waits for its head or body gets `CancellationError`.
    ///
    /// May be called from any thread, more than once, and after the end.
    func cancelExchange()
}

/// A running request's place in its tree's list, by which it can be cancelled from outside.
///
/// A transport whose ``TransportCapabilities/attachesExchanges`` is true attaches each exchange as it begins.
public struct RequestTicket: Sendable {
    let ledger: any TicketIssuer
    let index: Int
    let id: RequestID

    /// Has an exchange end when the request is cancelled.
    ///
    /// - Parameter exchange: The exchange; held until the request has ended, or another is attached.
    /// - Returns: False if the request has been cancelled: the exchange must not begin.
    public func attach(_ exchange: any CancellableExchange) -> Bool { ledger.attach(exchange, to: self) }

    /// Notes that the transport sends the request once more by itself, though some of it may have reached the server.
    ///
    /// The tree's ``RetryBudget`` pays for it: to the server it is a retry like any other.
    public func noteRepetition() { ledger.noteRepetition() }
}

/// What gives tickets to running requests: the list of those of a tree.
protocol TicketIssuer: AnyObject, Sendable {
    /// Has an exchange end when the request is cancelled; false if it has been.
    func attach(_ exchange: any CancellableExchange, to ticket: RequestTicket) -> Bool

    /// Cancels a request; false if it isn't running, or had been cancelled before.
    @discardableResult
    func cancel(_ ticket: RequestTicket) -> Bool

    /// Notes that a transport has sent a request once more by itself.
    func noteRepetition()

    /// Whether a request has been cancelled from outside.
    func isCancelled(_ ticket: RequestTicket) -> Bool

    /// Notes that a request has ended; true if it had been cancelled from outside.
    @discardableResult
    func leave(_ ticket: RequestTicket) -> Bool
}
