// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Reports the changes of one connection; made only if they are observed.
///
/// It is used on the connection's event loop only.
final class ConnectionMonitor {
    private let origin: Origin
    private let protocolName: String
    private let remoteAddress: String?
    private let opened = Moment.now
    private let report: @Sendable (ConnectionEvent) -> Void
    private var state: ConnectionEvent.State?

    init(
        _ origin: Origin,
        _ protocolName: String,
        to remoteAddress: String?,
        _ report: @escaping @Sendable (ConnectionEvent) -> Void
    ) {
        (self.origin, self.protocolName, self.remoteAddress, self.report) = (
            origin, protocolName, remoteAddress, report
        )
    }

    /// Reports a new state, once.
    func note(_ new: ConnectionEvent.State) {
        guard new != state, state != .closed else { return }
        let event = ConnectionEvent(
            origin: origin,
            protocolName: protocolName,
            remoteAddress: remoteAddress,
            previous: state,
            state: new,
            age: Moment.now - opened
        )
        state = new
        report(event)
    }
}
