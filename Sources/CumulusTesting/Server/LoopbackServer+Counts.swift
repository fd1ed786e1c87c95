// SPDX-License-Identifier: Apache-2.0

extension LoopbackServer {
    /// What a server counted so far.
    public struct Counts: Sendable, Equatable {
        /// Connections that were ever accepted.
        public var connectionsAccepted = 0
        /// Connections that are open now.
        public var openConnections = 0
        /// Streams of HTTP/2 connections that are being served now.
        public var openStreams = 0
        /// Requests whose head came in.
        public var requestsBegun = 0
        /// Requests that reached the routes: with their body where the route collects it.
        public var requestsReceived = 0
        /// Requests whose answer was sent to its end.
        public var requestsAnswered = 0
        /// Bytes of answers that the kernel has taken.
        public var bytesSent = 0
        /// Bytes of request bodies that were read.
        public var bodyBytesRead = 0
        /// Things that went wrong: failed handshakes, malformed requests, routes that threw.
        public var failures = 0
    }

    /// Thrown when a wait comes to nothing in its time.
    public struct WaitTimeout: Error, CustomStringConvertible {
        /// What was waited for.
        public let goal: String
        /// What there was instead.
        public let counts: Counts

        /// The goal and what there was instead.
        public var description: String { "\(goal) was not reached: \(counts)" }
    }

    /// What happened so far.
    public var counts: Counts { ledger.counts }
    /// The requests that reached the routes, oldest first; bounded by the configuration.
    public var requests: [ServerRequest] { ledger.requests }
    /// What went wrong, oldest first: failed handshakes, malformed requests, routes that threw.
    public var failures: [String] { ledger.failures }

    /// The bytes that a raw script read on a connection, at most the first MiB.
    public func rawInput(connection: Int = 1) -> [UInt8] { ledger.rawInput(connection: connection) }

    /// Waits, without sleeping, until the counts are as wanted; throws `WaitTimeout` after `limit`.
    public func wait(
        for goal: String,
        within limit: Duration = .seconds(30),
        until condition: @escaping @Sendable (Counts) -> Bool
    ) async throws {
        let ledger = ledger
        let came: Void? = try await TimeLimit.run(limit) { try await ledger.wait(until: condition) }
        guard came != nil else { throw WaitTimeout(goal: goal, counts: counts) }
    }

    /// Waits until exactly so many connections are open.
    public func waitForOpenConnections(_ count: Int, within limit: Duration = .seconds(30)) async throws {
        try await wait(for: "\(count) open connections", within: limit) { $0.openConnections == count }
    }

    /// Waits until at least so many connections were accepted.
    public func waitForConnections(_ count: Int, within limit: Duration = .seconds(30)) async throws {
        try await wait(for: "\(count) connections", within: limit) { $0.connectionsAccepted >= count }
    }

    /// Waits until the heads of at least so many requests came in.
    public func waitForRequests(_ count: Int, within limit: Duration = .seconds(30)) async throws {
        try await wait(for: "\(count) requests", within: limit) { $0.requestsBegun >= count }
    }

    /// Waits until nothing was sent for `quiet`, which is how a peer that has stopped reading shows itself;
    /// returns the bytes sent by then.
    public func waitForSendingToStall(quiet: Duration = .milliseconds(300)) async throws -> Int {
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
