// SPDX-License-Identifier: Apache-2.0

/// Makes events of a sum: always the first and the last, and at most 10 a second in between.
struct SumMeter: Sendable {
    private struct Member: Sendable {
        var direction: TransferProgress.Direction?
        var completed: Int64 = 0
        var total: Int64?
        var isFinished = false
    }

    private static let interval = Duration.milliseconds(100)
    /// The weight of the latest interval in the rate.
    private static let freshness = 0.3

    private var members: [Member] = []
    private let startedAt: ContinuousClock.Instant
    private var reportedAt: ContinuousClock.Instant?
    private var reported: Int64 = 0
    private var rate: Double = 0
    /// Whether more events may follow.
    private(set) var isOpen = true

    init(startedAt: ContinuousClock.Instant) { self.startedAt = startedAt }

    /// Adds a transfer.
    mutating func add() -> Int {
        members.append(Member())
        return members.count - 1
    }

    /// Notes a transfer's progress; returns an event if one is due.
    mutating func note(
        _ event: TransferProgress,
        of index: Int,
        at now: ContinuousClock.Instant
    ) -> ProgressSum.Event? {
        guard isOpen, members[index].direction ?? event.direction == event.direction else { return nil }
        members[index].direction = event.direction
        members[index].completed = event.completed
        members[index].total = event.total
        members[index].isFinished = event.isFinished
        if let reportedAt, now - reportedAt < SumMeter.interval { return nil }
        return report(at: now)
    }

    /// When the next event may be reported; `nil` if there is nothing left to report.
    var nextReport: ContinuousClock.Instant? { isOpen ? reportedAt.map { $0 + SumMeter.interval } : nil }

    /// The unreported progress, if its event is due.
    mutating func rest(at now: ContinuousClock.Instant) -> ProgressSum.Event? {
        guard isOpen, let reportedAt, now - reportedAt >= SumMeter.interval,
            members.reduce(0, { $0 + $1.completed }) != reported
        else { return nil }
        return report(at: now)
    }

    /// The last event; `nil` if it was already delivered.
    mutating func finish(at now: ContinuousClock.Instant) -> ProgressSum.Event? {
        guard isOpen else { return nil }
        isOpen = false
        return report(at: now)
    }

    /// `nil` on overflow: servers may announce any length.
    private static func sum(_ numbers: [Int64]) -> Int64? {
        numbers.reduce(0) { sum, number in
            guard let (next, isTooLarge) = sum?.addingReportingOverflow(number), !isTooLarge else { return nil }
            return next
        }
    }

    private mutating func report(at now: ContinuousClock.Instant) -> ProgressSum.Event {
        let completed = SumMeter.sum(members.map(\.completed)) ?? .max
        let seconds = (now - (reportedAt ?? startedAt)) / .seconds(1)
        if seconds > 0 {
            let latest = Double(max(0, completed - reported)) / seconds
            rate = rate == 0 ? latest : rate + (latest - rate) * SumMeter.freshness
        }
        reported = completed
        reportedAt = now
        let totals = members.compactMap(\.total)
        return ProgressSum.Event(
            transfers: members.count,
            finishedTransfers: members.count(where: \.isFinished),
            completed: completed,
            total: totals.count == members.count ? SumMeter.sum(totals) : nil,
            elapsed: now - startedAt,
            bytesPerSecond: rate,
            isFinished: !isOpen
        )
    }
}
