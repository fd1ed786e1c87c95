// SPDX-License-Identifier: Apache-2.0

/// The progress of a body, in either direction.
public struct TransferProgress: Sendable, Hashable {
    /// The direction of a transfer.
    public enum Direction: Sendable, Hashable {
        /// The request's body is sent.
        case sending
        /// The response's body is received.
        case receiving
    }

    /// The direction of the transfer.
    public let direction: Direction
    /// The request's number; `nil` for a request made without a call.
    public let id: CallID?
    /// The URL, with redacted query values.
    public let redactedURL: String
    /// The number of bytes transferred so far.
    ///
    /// For a sent body, this is the number that the transport has read. For a download, it includes earlier attempts.
    public let completed: Int64
    /// The total number of bytes; `nil` while it is unknown.
    public let total: Int64?
    /// The number of bytes transferred since the previous event.
    public let step: Int64
    /// The offset at which the transfer starts, for a range or a resumed download.
    public let offset: Int64
    /// The file that is read or written; `nil` for a body in memory.
    public let file: String?
    /// The time since the transfer began.
    public let elapsed: Duration
    /// The rate in bytes per second, weighted towards recent bytes; 0 until it is known.
    public let bytesPerSecond: Double
    /// Whether this is the last event: the body is complete.
    public let isFinished: Bool

    /// Creates an event, for example to test your own display of progress.
    public init(
        _ direction: Direction,
        completed: Int64,
        of total: Int64? = nil,
        id: CallID? = nil,
        redactedURL: String = "",
        step: Int64 = 0,
        offset: Int64 = 0,
        file: String? = nil,
        elapsed: Duration = .zero,
        bytesPerSecond: Double = 0,
        isFinished: Bool = false
    ) {
        self.direction = direction
        self.id = id
        self.redactedURL = redactedURL
        self.completed = completed
        self.total = total
        self.step = step
        self.offset = offset
        self.file = file
        self.elapsed = elapsed
        self.bytesPerSecond = bytesPerSecond
        self.isFinished = isFinished
    }

    /// The fraction from 0 to 1; `nil` while the total is unknown, and 1 at the end.
    public var fractionCompleted: Double? {
        if isFinished { return 1 }
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }

    /// The remaining time at the current rate; `nil` if unknown.
    public var timeRemaining: Duration? {
        if isFinished { return .zero }
        guard let total, bytesPerSecond > 0, total >= completed else { return nil }
        let seconds = (Double(total) - Double(completed)) / bytesPerSecond
        return seconds < 1e12 ? .seconds(seconds) : nil
    }
}
