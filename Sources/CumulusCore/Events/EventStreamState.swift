// SPDX-License-Identifier: Apache-2.0

/// The state of an ``EventStream``, for ``EventStream/onStateChange(_:)``.
public enum EventStreamState: Sendable {
    /// A request is being sent.
    case connecting
    /// The server has responded, and events may arrive.
    case open
    /// The connection has ended, and the next one is opened at an instant on the tree's clock.
    ///
    /// The error is the reason; `nil` if the server ended its response.
    case waiting(until: ContinuousClock.Instant, after: (any Error)?)
    /// The stream has ended.
    case closed(Closing)

    /// The reason why a stream has ended.
    public enum Closing: Sendable {
        /// The server ended its response, and no other response is requested.
        case finished
        /// The server responded with 204, which means that a client must not reconnect, or with 202 and no document.
        case noContent
        /// The event that `until:` specifies arrived.
        case sentinel
        /// The stream's task or call was cancelled, or the stream was released.
        case cancelled
        /// An error occurred, which the loop throws.
        case failed(any Error)
    }
}

/// The rule by which an ``EventStream`` reconnects after its connection has ended.
public struct Reconnection: Sendable, Hashable {
    private enum Rule { case automatic, always, byGet, never }

    private let rule: Rule

    /// A rule that reconnects after a GET; a request that may change something is sent once.
    public static let automatic = Reconnection(rule: .automatic)
    /// A rule that reconnects after any method: the same request is sent again, with its body and the last event ID.
    public static let always = Reconnection(rule: .always)
    /// A rule that reconnects with a GET of the same URL, without a body, once an event has had an ID.
    ///
    /// MCP's Streamable HTTP resumes a POST this way.
    public static let byGet = Reconnection(rule: .byGet)
    /// A rule that never reconnects: the events end with the response.
    public static let never = Reconnection(rule: .never)

    /// Whether another connection follows.
    func follows(_ isGet: Bool, knowsID: Bool) -> Bool {
        switch rule {
        case .automatic: isGet
        case .always: true
        case .byGet: isGet || knowsID
        case .never: false
        }
    }
}

/// The wait between two connections of an event stream: a value without I/O.
struct ReconnectionDelay: Sendable {
    /// The shortest and longest wait that a `retry` field can request.
    static let range = Duration.milliseconds(100)...Duration.seconds(300)
    /// The time within which clients reconnect if the server doesn't request a time.
    static let standard = Duration.seconds(1)

    let backoff: RetryBackoff
    /// The value of the last `retry` field.
    let requested: Duration?

    /// The wait before a connection: the time that the server requested, then a random part of a time that doubles.
    ///
    /// - Parameter number: The number of connections since the last event, from 1.
    /// - Returns: The wait.
    func wait(before number: Int) -> Duration {
        let requested = requested.map { min(max($0, Self.range.lowerBound), Self.range.upperBound) }
        var spread = backoff
        spread.base = max(backoff.base, requested ?? .zero, Self.standard)
        spread.cap = max(backoff.cap, spread.base)
        return (requested ?? .zero) + spread.delay(before: number)
    }
}
