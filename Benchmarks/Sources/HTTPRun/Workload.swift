// SPDX-License-Identifier: Apache-2.0

/// What one run of a client does; `compare_http.py` says so in the arguments, the same for all clients.
public struct Workload: Sendable {
    /// What is asked of the client.
    public enum Kind: String, Sendable {
        /// Many small answers over kept connections.
        case get
        /// The same, and the latency of each request is measured.
        case latency
        /// The same, but `inFlight` requests begin each second, however many are unfinished.
        ///
        /// Latencies count from the scheduled times, so that a stall is not hidden.
        case paced
        /// Small responses over a new connection each time.
        case fresh
        /// A long answer that is thrown away.
        case discard
        /// A long answer that goes into a file.
        case save
        /// A file that is sent.
        case upload
    }

    /// What is asked.
    public let kind: Kind
    /// How many requests the timed part makes.
    public let count: Int
    /// How many of them are under way at once; how many begin each second if they are paced.
    public let inFlight: Int
    /// The number of connections to allow.
    public var connections: Int { max(64, inFlight) }
    /// Where they go.
    public let url: String
    /// The file that is read or written, or `nil`.
    public let file: String?
    /// The file with the certificate that is trusted, or `nil`.
    public let roots: String?
    /// How the client is to be used, where it knows several ways.
    public let mode: String

    /// Reads `KIND COUNT IN-FLIGHT URL FILE ROOTS MODE`; `-` is none.
    public init?(_ arguments: [String]) {
        guard arguments.count == 8, let kind = Kind(rawValue: arguments[1]), let count = Int(arguments[2]),
            let inFlight = Int(arguments[3]), count > 0, inFlight > 0
        else { return nil }
        self.kind = kind
        self.count = count
        self.inFlight = inFlight
        url = arguments[4]
        file = arguments[5] == "-" ? nil : arguments[5]
        roots = arguments[6] == "-" ? nil : arguments[6]
        mode = arguments[7]
    }
}
