// SPDX-License-Identifier: Apache-2.0

/// Sends the part of a request body that didn't go with the head; lives on the event loop for one try of an exchange.
protocol BodySender: AnyObject {
    /// Whether it waits for its source rather than for the peer.
    var isWaitingForSource: Bool { get }

    /// Whether all bytes of the body have gone, though its source has not said so yet.
    var isWhole: Bool { get }

    /// Goes on while the peer keeps up; called once to begin, and whenever the peer has caught up.
    func pump()

    /// Looks whether the source still has what it promised; called while what was written doesn't go.
    func checkSource()

    /// Lets go of everything; nothing more is sent. A source that has given the whole body comes to its end.
    func stop()
}

extension BodySender {
    func checkSource() {}
}
