// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// The facts about a connection itself, for each of its exchanges.
struct ConnectionFacts {
    /// The durations of opening it: look-up, connecting, TLS.
    typealias Opening = (lookup: Duration?, connect: Duration?, tls: Duration?)

    private let protocolName: String
    /// Reported for the first exchange only.
    var opening: Opening
    /// The TLS with the origin; `nil` without TLS.
    var tls: TLSFacts?
    private var localAddress: String?
    private var remoteAddress: String?

    /// Creates the facts of a connection with a protocol, as in ALPN and the status line.
    init(_ protocolName: String, opening: Opening = (nil, nil, nil)) {
        self.protocolName = protocolName
        self.opening = opening
    }

    /// Begins the facts of an exchange; a connection's first one has its phases, and looks up its addresses.
    mutating func begin(_ facts: inout ExchangeFacts, isReused: Bool, over channel: (any Channel)?) {
        facts.isReused = isReused
        if !isReused {
            (facts.phases.lookup, facts.phases.connect, facts.phases.tls) = opening
            localAddress = channel?.localAddress?.hostAndPort
            remoteAddress = channel?.remoteAddress?.hostAndPort
        }
        facts.localAddress = localAddress
        facts.remoteAddress = remoteAddress
        facts.protocolName = protocolName
        facts.tls = tls
        facts.bytesSent = 0
        facts.bytesReceived = 0
    }
}
