// SPDX-License-Identifier: Apache-2.0

/// An exchange that can be cancelled from outside the task that waits for it.
public protocol CancellableExchange: AnyObject, Sendable {
    /// Cancels the exchange: tasks that wait for its head or body receive `CancellationError`.
    ///
    /// It may be called from any thread, more than once, and after the end.
    func cancelExchange()
}

/// A running request's entry in its tree's list, through which the request can be cancelled from outside.
///
/// A transport whose ``TransportCapabilities/attachesExchanges`` is true attaches each exchange as it begins.
public struct CallListing: Sendable {
    let callList: any CallList
    let index: Int
    let id: CallID

    /// Attaches an exchange, which ends when the request is cancelled.
    ///
    /// - Parameter exchange: The exchange, which is retained until the request has ended or another exchange is
    ///   attached.
    /// - Returns: Whether the exchange was attached; if not, the request was already cancelled, and the exchange must
    ///   not begin.
    public func attach(_ exchange: any CancellableExchange) -> Bool { callList.attach(exchange, to: self) }

    /// The exchange that the request's cancellation ends.
    var attached: (any CancellableExchange)? { callList.attached(to: self) }

    /// Records that the request is sent again, although parts of it may have reached the server.
    ///
    /// It counts against the tree's ``RetryBudget``: to the server it is a retry like any other.
    func noteRepetition() { callList.noteRepetition() }
}

/// The list of a tree's running requests.
protocol CallList: AnyObject, Sendable {
    /// Makes a request's cancellation end an exchange; false if it was already cancelled.
    func attach(_ exchange: any CancellableExchange, to listing: CallListing) -> Bool

    /// The exchange that a request's cancellation ends; `nil` if there is none, or the request has its own task.
    func attached(to listing: CallListing) -> (any CancellableExchange)?

    /// Cancels a request; false if it isn't running, or was already cancelled.
    @discardableResult
    func cancel(_ listing: CallListing) -> Bool

    /// Records that a request is sent again within an attempt.
    func noteRepetition()

    /// Whether a request has been cancelled from outside.
    func isCancelled(_ listing: CallListing) -> Bool

    /// Records that a request has ended; true if it had been cancelled from outside.
    @discardableResult
    func leave(_ listing: CallListing) -> Bool
}
