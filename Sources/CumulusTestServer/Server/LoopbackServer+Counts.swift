// SPDX-License-Identifier: Apache-2.0

import CumulusTesting

extension LoopbackServer {
    /// A server's counts so far.
    public struct Counts: Sendable, Equatable {
        /// The number of connections accepted in total.
        public var connectionsAccepted = 0
        /// The number of connections that are currently open.
        public var openConnections = 0
        /// The number of HTTP/2 streams that are currently served.
        public var openStreams = 0
        /// The number of requests whose head has arrived.
        public var requestsBegun = 0
        /// The number of requests that reached their routes, including their bodies if the routes collect them.
        public var requestsReceived = 0
        /// The number of requests whose response was sent completely.
        public var requestsAnswered = 0
        /// The number of bytes of responses that the kernel has accepted.
        public var bytesSent = 0
        /// The number of bytes of request bodies that were read.
        public var bodyBytesRead = 0
        /// The number of failures: failed handshakes, malformed requests, routes that threw.
        public var failures = 0
    }

    /// The error thrown if a wait doesn't reach its goal in time.
    public struct WaitTimeout: Error, CustomStringConvertible {
        /// The goal of the wait.
        public let goal: String
        /// The actual counts.
        public let counts: Counts

        /// The goal and the actual counts.
        public var description: String { "expected \(goal), found \(counts)" }
    }

    /// The counts so far.
    public var counts: Counts { ledger.counts }
    /// The requests that reached the routes, oldest first; limited by the configuration.
    public var requests: [ServerRequest] { ledger.requests }
    /// The failures, oldest first: failed handshakes, malformed requests, routes that threw.
    public var failures: [String] { ledger.failures }

    /// Returns the bytes that a raw script read on a connection, at most the first MiB.
    public func rawInput(connection: Int = 1) -> [UInt8] { ledger.rawInput(connection: connection) }

    /// Waits, without sleeping, until the counts meet a condition.
    ///
    /// Throws `WaitTimeout` after `limit`.
    public func wait(
        for goal: String,
        within limit: Duration = .seconds(120),
        until condition: @escaping @Sendable (Counts) -> Bool
    ) async throws {
        let ledger = ledger
        let came: Void? = try await TimeLimit.run(limit) { try await ledger.wait(until: condition) }
        guard came != nil else { throw WaitTimeout(goal: goal, counts: counts) }
    }

    /// Waits until exactly `count` connections are open.
    public func waitForOpenConnections(_ count: Int, within limit: Duration = .seconds(120)) async throws {
        try await wait(for: "\(count) open connections", within: limit) { $0.openConnections == count }
    }

    /// Waits until at least `count` connections were accepted.
    public func waitForConnections(_ count: Int, within limit: Duration = .seconds(120)) async throws {
        try await wait(for: "\(count) connections", within: limit) { $0.connectionsAccepted >= count }
    }

    /// Waits until the heads of at least `count` requests have arrived.
    ///
    /// `requestsBegun` counts these requests; their routes may not have received them yet.
    public func waitForRequests(_ count: Int, within limit: Duration = .seconds(120)) async throws {
        try await wait(for: "\(count) requests", within: limit) { $0.requestsBegun >= count }
    }

    /// Waits until sending has begun and has then stopped for the duration `quiet`, which means that the peer has
    /// stopped reading.
    ///
    /// Returns the number of bytes sent by then.
    public func waitForSendingToStall(quiet: Duration = .milliseconds(300)) async throws -> Int {
        try await wait(for: "bytes sent", within: .seconds(120)) { $0.bytesSent > 0 }
        var sent = counts.bytesSent
        while true {
            let before = sent
            do {
                try await wait(for: "more bytes sent", within: quiet) { $0.bytesSent > before }
            } catch is WaitTimeout {
                return before
            }
            sent = counts.bytesSent
        }
    }
}
