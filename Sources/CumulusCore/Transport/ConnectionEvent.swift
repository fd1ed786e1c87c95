// SPDX-License-Identifier: Apache-2.0

/// A change in the state of one of a transport's connections, for metrics.
public struct ConnectionEvent: Sendable {
    /// The state of a connection.
    public enum State: Sendable, Hashable {
        /// The connection carries at least one exchange.
        case active
        /// The connection is kept open for further exchanges.
        case idle
        /// The connection is closed; no event follows.
        case closed
    }

    /// The origin that the connection leads to, possibly through a proxy.
    public let origin: Origin
    /// The protocol, as in ``ExchangeFacts/protocolName``.
    public let protocolName: String
    /// The peer's address and port; if a proxy is used, the proxy's address and port.
    public let remoteAddress: String?
    /// The connection's previous state; `nil` if the connection has just been opened.
    public let previous: State?
    /// The connection's new state.
    public let state: State
    /// The time since the connection was opened.
    public let age: Duration

    /// Creates an event, as a transport does.
    public init(
        origin: Origin,
        protocolName: String,
        remoteAddress: String?,
        previous: State?,
        state: State,
        age: Duration
    ) {
        (self.origin, self.protocolName, self.remoteAddress) = (origin, protocolName, remoteAddress)
        (self.previous, self.state, self.age) = (previous, state, age)
    }
}
