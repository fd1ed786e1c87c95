// SPDX-License-Identifier: Apache-2.0

/// Creates progress events from bytes and instants: always the first and the last, and at most 10 a second in between.
struct ProgressMeter: Sendable {
    /// The properties that all events of a transfer share.
    struct Subject: Sendable {
        let direction: TransferProgress.Direction
        let id: CallID?
        let redactedURL: String
        let total: Int64?
        var offset: Int64 = 0
        var file: String?
        /// The bytes from an earlier attempt.
        var brought: Int64 = 0
    }

    private static let interval = Duration.milliseconds(100)
    /// The weight of the latest interval in the rate.
    private static let freshness = 0.3

    private let subject: Subject
    private let startedAt: ContinuousClock.Instant
    private var reportedAt: ContinuousClock.Instant
    private var completed: Int64 = 0
    private var reported: Int64 = 0
    private var rate: Double = 0

    init(_ subject: Subject, startedAt: ContinuousClock.Instant) {
        self.subject = subject
        self.startedAt = startedAt
        reportedAt = startedAt
        completed = subject.brought
        reported = subject.brought
    }

    /// The event before the first byte.
    var first: TransferProgress { event(at: startedAt, step: 0, isFinished: false) }

    /// When the next event may be reported.
    var nextReport: ContinuousClock.Instant { reportedAt + ProgressMeter.interval }

    /// Counts bytes; returns an event if one is due.
    mutating func advance(by bytes: Int, at now: ContinuousClock.Instant) -> TransferProgress? {
        completed += Int64(bytes)
        guard completed != reported, now - reportedAt >= ProgressMeter.interval else { return nil }
        return report(at: now, isFinished: false)
    }

    /// The last event.
    mutating func finish(at now: ContinuousClock.Instant) -> TransferProgress { report(at: now, isFinished: true) }

    private mutating func report(at now: ContinuousClock.Instant, isFinished: Bool) -> TransferProgress {
        let step = completed - reported
        let seconds = (now - reportedAt) / .seconds(1)
        if seconds > 0 {
            let latest = Double(step) / seconds
            rate = rate == 0 ? latest : rate + (latest - rate) * ProgressMeter.freshness
        }
        reported = completed
        reportedAt = now
        return event(at: now, step: step, isFinished: isFinished)
    }

    private func event(at now: ContinuousClock.Instant, step: Int64, isFinished: Bool) -> TransferProgress {
        TransferProgress(
            subject.direction,
            completed: completed,
            of: isFinished ? subject.total ?? completed : subject.total,
            id: subject.id,
            redactedURL: subject.redactedURL,
            step: step,
            offset: subject.offset,
            file: subject.file,
            elapsed: now - startedAt,
            bytesPerSecond: rate,
            isFinished: isFinished
        )
    }
}
