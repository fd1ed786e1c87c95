// SPDX-License-Identifier: Apache-2.0

/// Sends the part of a request body that wasn't sent with the head; on the event loop, for one try of an exchange.
protocol BodySender: AnyObject {
    /// Whether it waits for its source instead of the peer.
    var isWaitingForSource: Bool { get }

    /// Whether all bytes of the body have been sent, although its source has not ended yet.
    var isWhole: Bool { get }

    /// Continues while the peer keeps up; called once to begin, and whenever the peer has caught up.
    func pump()

    /// Checks whether the source still has the promised bytes; called while written bytes are not accepted.
    func checkSource()

    /// Releases everything; nothing more is sent. A source that has produced the whole body may run to its end.
    func stop()
}

extension BodySender {
    func checkSource() {}
}
