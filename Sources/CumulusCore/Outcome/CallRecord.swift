// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// The log of one call: each exchange that it has sent, and each response or error that replaced an exchange.
///
/// It is part of ``CallContext``, so that a call with one exchange allocates nothing for it. Exchanges may overlap, in
/// an interceptor or a download. Recovery counts with ``Recovery/Memory`` instead, of which there is one for each
/// sequence of attempts.
struct CallRecord: ~Copyable, Sendable {
    /// An exchange that has begun.
    struct Beginning {
        let number: Int
        let reason: AttemptRecord.Reason
        /// The request without its authorization.
        let request: EncodedRequest
        /// `nil` for the start of the call.
        let began: Moment?
        /// How many requests were sent again until this one.
        let resends: Int
    }

    private let started: Moment
    private let begun = Atomic(0)
    private let resends = Atomic(0)
    private let hasDecisions = Atomic(false)
    private let entries = Mutex(Entries())

    init(started: Moment) { self.started = started }

    // MARK: Writing

    /// Begins an exchange.
    ///
    /// For ``Transmission``, and for entries that no exchange made.
    func begin(_ reason: AttemptRecord.Reason, _ request: EncodedRequest, from began: Moment?) -> Beginning {
        let isResent = reason != .call && reason != .fallback
        let resends = isResent ? resends.add(1, ordering: .relaxed).newValue : 0
        let number = begun.add(1, ordering: .relaxed).newValue
        return Beginning(number: number, reason: reason, request: request, began: began, resends: resends)
    }

    /// Records that an exchange has failed or that its response's head has arrived.
    ///
    /// Only ``Transmission`` calls it.
    ///
    /// Without a moment, the exchange lasts until ``close(_:at:for:)``, or until the call's end.
    func end(_ exchange: Beginning, _ outcome: AttemptRecord.Outcome, at ended: Moment?) {
        entries.withLock { entries in
            entries.ended += 1
            entries.note(outcome, of: exchange.number)
            entries.insert(Entry(exchange, outcome, ended))
        }
    }

    /// Records the outcome of an attempt that sent nothing, such as a stored response.
    ///
    /// - Returns: The number of the entry.
    func add(
        _ reason: AttemptRecord.Reason,
        _ request: EncodedRequest,
        _ outcome: AttemptRecord.Outcome,
        from began: Moment?,
        at ended: Moment? = nil
    ) -> Int {
        let entry = Entry(begin(reason, request, from: began), outcome, ended)
        entries.withLock { entries in
            entries.ended += 1
            entries.insert(entry)
        }
        return entry.number
    }

    /// Records that an exchange failed after its head had arrived.
    func breakOff(_ number: Int, _ error: any Error, at now: Moment) {
        entries.withLock { entries in
            entries.change(number) { ($0.outcome, $0.ended) = (.failed(error), now) }
            entries.note(.failed(error), of: number)
        }
    }

    /// Records that an exchange failed after its head had arrived, and returns the error with its number.
    func failed(_ number: Int?, _ error: any Error, at now: Moment) -> any Error {
        guard let number, var described = error as? CumulusError else { return error }
        breakOff(number, error, at: now)
        described.exchange = number
        return described
    }

    /// Records that another exchange follows this one.
    func close(_ number: Int, at now: Moment, for next: AttemptRecord.Reason? = nil) {
        entries.withLock { entries in
            entries.change(number) { if $0.ended == nil { $0.ended = now } }
            // A 408 may concern work that the server had begun.
            if next == .requestTimeout { entries.lastLost = max(entries.lastLost, number) }
        }
    }

    /// Records the decision of recovery after an exchange.
    func note(_ decision: RetryDecision, of number: Int) {
        hasDecisions.store(true, ordering: .relaxed)
        entries.withLock { $0.change(number) { $0.notes.retry = decision } }
    }

    /// Records the observations of the transport.
    func note(_ facts: ExchangeFacts, of number: Int) {
        entries.withLock { $0.change(number) { $0.notes.facts = facts } }
    }

    // MARK: Reading

    /// The number of entries that have begun.
    var count: Int { begun.load(ordering: .relaxed) }

    /// Whether there is at most one entry, and no decision about it.
    var isPlain: Bool { count <= 1 && !hasDecisions.load(ordering: .relaxed) }

    /// Whether the server may have carried out an exchange whose response was lost, or has not arrived yet.
    var mayHaveTakenEffect: Bool {
        let (ended, lastLost) = entries.withLock { ($0.ended, $0.lastLost) }
        return lastLost > 0 || count > ended
    }

    /// Whether an exchange in a range of numbers may have been carried out although its response was lost.
    func mayHaveTakenEffect(in numbers: Range<Int>) -> Bool {
        let last = entries.withLock(\.lastLost)
        return last >= numbers.lowerBound && last < numbers.upperBound
    }

    /// Whether a server may have received an exchange with a number, or a later one.
    func mayHaveArrived(since number: Int) -> Bool {
        let (ended, lastArrived) = entries.withLock { ($0.ended, $0.lastArrived) }
        return lastArrived >= number || count > ended
    }

    /// The last entry since a number, preferably one with a response; `nil` if no entry is that late.
    func last(since number: Int) -> (number: Int, isAnswered: Bool)? {
        entries.withLock { $0.last(since: number) }
    }

    /// The entries of exchanges that have ended, in the order of their beginnings: the first 8 and the last 25.
    func attempts(at now: Moment) -> [AttemptRecord] {
        let (first, others) = entries.withLock { ($0.first, $0.others) }
        guard let first else { return [] }
        var records = [first.record(since: started, at: now)]
        records.reserveCapacity(1 + others.count)
        for entry in others { records.append(entry.record(since: started, at: now)) }
        return records
    }

    /// The same, with the observations of one exchange.
    func attempts(at now: Moment, _ facts: ExchangeFacts?, of number: Int) -> [AttemptRecord] {
        var all = attempts(at: now)
        if let facts, let index = all.firstIndex(where: { $0.number == number }) { all[index].facts = facts }
        return all
    }

    /// The error of the call, with its entries if there are several, or a decision.
    ///
    /// The exchange that failed is the last one.
    func completed(_ error: any Error, at now: Moment) -> any Error {
        guard var error = error as? CumulusError else { return error }
        let number = error.exchange ?? (error.cause as? CumulusError)?.exchange
        // The number is only valid within this call.
        error.exchange = nil
        if isPlain { return error }
        var all = attempts(at: now)
        if let index = all.firstIndex(where: { $0.number == number }) { all.append(all.remove(at: index)) }
        return error.after(all)
    }
}

// Internal: if a mutex contains a private type, Swift 6.3.1 emits metadata that the file of `CallContext` can't link
// with.
extension CallRecord {
    struct Notes: Sendable {
        var retry: RetryDecision?
        var facts: ExchangeFacts?
    }

    struct Entry: Sendable {
        let number: Int
        let reason: AttemptRecord.Reason
        let request: EncodedRequest
        let began: Moment?
        var ended: Moment?
        var outcome: AttemptRecord.Outcome
        // Almost no entry has notes.
        private var shared: Shared<Notes>?

        init(_ exchange: Beginning, _ outcome: AttemptRecord.Outcome, _ ended: Moment?) {
            (number, reason, request) = (exchange.number, exchange.reason, exchange.request)
            began = exchange.began
            self.outcome = outcome
            self.ended = ended
        }

        var notes: Notes {
            get { shared?.value ?? Notes() }
            set { shared = Shared(newValue) }
        }

        func record(since started: Moment, at now: Moment) -> AttemptRecord {
            AttemptRecord(
                number: number,
                reason: reason,
                request: request,
                outcome: outcome,
                elapsed: max(.zero, (ended ?? now) - (began ?? started)),
                retry: notes.retry,
                facts: notes.facts
            )
        }
    }

    struct Entries: Sendable {
        /// The numbers of entries that are kept, at the beginning and at the end, since a call may last for days.
        private static var kept: (first: Int, last: Int) { (8, 25) }

        /// The number of exchanges that have ended.
        var ended = 0
        /// The highest number of an exchange that may have taken effect although its response was lost.
        var lastLost = 0
        /// The highest number of an exchange that a server may have received.
        var lastArrived = 0
        /// Outside the array, so that a call with one exchange allocates nothing.
        var first: Entry?
        var others: [Entry] = []

        mutating func note(_ outcome: AttemptRecord.Outcome, of number: Int) {
            if outcome.mayHaveTakenEffect { lastLost = max(lastLost, number) }
            if outcome.mayHaveArrived { lastArrived = max(lastArrived, number) }
        }

        mutating func insert(_ entry: consuming Entry) {
            guard let earliest = first else {
                first = entry
                return
            }
            // Exchanges that overlap may end in another order.
            if entry.number < earliest.number {
                first = entry
                others.insert(earliest, at: 0)
            } else {
                let index = others.lastIndex { $0.number < entry.number }.map { $0 + 1 } ?? 0
                others.insert(entry, at: index)
            }
            if others.count >= Self.kept.first + Self.kept.last { others.remove(at: Self.kept.first - 1) }
        }

        mutating func change(_ number: Int, _ change: (inout Entry) -> Void) {
            if var entry = first, entry.number == number {
                first = nil
                change(&entry)
                first = entry
            } else if let index = others.lastIndex(where: { $0.number == number }) {
                change(&others[index])
            }
        }

        func last(since number: Int) -> (number: Int, isAnswered: Bool)? {
            var last: (number: Int, isAnswered: Bool)?
            for entry in [first].compactMap(\.self) + others where entry.number >= number {
                let isAnswered = if case .responded = entry.outcome { true } else { false }
                if isAnswered || last?.isAnswered != true { last = (entry.number, isAnswered) }
            }
            return last
        }
    }
}
