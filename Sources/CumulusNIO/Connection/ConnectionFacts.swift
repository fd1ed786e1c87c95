// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// What a connection tells of itself in the facts of each exchange that it carries.
struct ConnectionFacts {
    private let protocolName: String
    /// How long it took to connect, and to agree on TLS.
    var connectDuration: Duration?
    var tlsDuration: Duration?
    private var localAddress: String?
    private var remoteAddress: String?

    /// Of a connection that speaks a protocol, as ALPN and the status line name it.
    init(_ protocolName: String, connect: Duration? = nil, tls: Duration? = nil) {
        self.protocolName = protocolName
        connectDuration = connect
        tlsDuration = tls
    }

    /// Begins the facts of an exchange; the first one of a connection has its phases, and looks up its addresses.
    mutating func begin(_ facts: inout ExchangeFacts, isReused: Bool, over channel: (any Channel)?) {
        facts.isReused = isReused
        if !isReused {
            facts.phases.connect = connectDuration
            facts.phases.tls = tlsDuration
            localAddress = channel?.localAddress?.hostAndPort
            remoteAddress = channel?.remoteAddress?.hostAndPort
        }
        facts.localAddress = localAddress
        facts.remoteAddress = remoteAddress
        facts.protocolName = protocolName
        facts.bytesSent = 0
        facts.bytesReceived = 0
    }
}
