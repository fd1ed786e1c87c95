// SPDX-License-Identifier: Apache-2.0

/// How far a body has come, either way.
public struct TransferProgress: Sendable, Hashable {
    /// Which way the bytes go.
    public enum Direction: Sendable, Hashable {
        /// The request's body.
        case sending
        /// The response's body.
        case receiving
    }

    /// Which way the bytes go.
    public let direction: Direction
    /// The request's number; `nil` for a request made by hand.
    public let id: RequestID?
    /// The URL, query values redacted.
    public let redactedURL: String
    /// Bytes so far: of a sent body those that the transport has taken, of a download also those of earlier tries.
    public let completed: Int64
    /// Bytes in all; `nil` while nobody has told.
    public let total: Int64?
    /// Bytes since the last event.
    public let step: Int64
    /// Where the transfer began within the whole, for a range or a resumed download.
    public let offset: Int64
    /// The file that is read or written; `nil` for a body in memory.
    public let file: String?
    /// Since the transfer began.
    public let elapsed: Duration
    /// Bytes a second, with the most weight on the latest; 0 before there is a rate.
    public let bytesPerSecond: Double
    /// Whether this is the last event: the body has been transferred whole.
    public let isFinished: Bool

    /// From 0 to 1; `nil` while the total is not known, and 1 at the end.
    public var fractionCompleted: Double? {
        if isFinished { return 1 }
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }

    /// How long the rest will take at the present rate; `nil` if unknown.
    public var timeRemaining: Duration? {
        if isFinished { return .zero }
        guard let total, bytesPerSecond > 0, total >= completed else { return nil }
        let seconds = Double(total - completed) / bytesPerSecond
        return seconds < 1e12 ? .seconds(seconds) : nil
    }
}
