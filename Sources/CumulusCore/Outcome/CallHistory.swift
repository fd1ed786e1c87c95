// SPDX-License-Identifier: Apache-2.0

/// A call's history before its present attempt.
struct CallHistory: Sendable {
    private struct Parts: Sendable {
        var hops: [Response.Hop] = []
        var attempts: [AttemptRecord] = []
        /// How many requests were sent before those that are counted here.
        var before = 0
        /// How many attempts were made for each reason before the present one; not all of their records are kept.
        var counts: [AttemptRecord.Reason: Int] = [:]
        var mayHaveTakenEffect = false
        var hasLeftOrigin = false
        var reason = AttemptRecord.Reason.call
        var began: Moment?
        var decision: RetryDecision?
        /// How the present attempt ended, if the call's response is an earlier one's.
        var end: (outcome: AttemptRecord.Outcome, at: Moment)?
        var refusedAuthors: Set<Int> = []
    }

    // Most calls have one attempt, and nothing to keep or copy.
    private var parts: Shared<Parts>?

    /// The redirects that were followed.
    var hops: [Response.Hop] { parts?.value.hops ?? [] }
    /// The attempts before the present one: the first and the last of them.
    var attempts: [AttemptRecord] { parts?.value.attempts ?? [] }
    /// Whether the server may have carried out the request in one of them, and its response was lost.
    var mayHaveTakenEffect: Bool { parts?.value.mayHaveTakenEffect ?? false }
    /// Whether any hop led to another origin than the call's first; credentials are not sent again after that.
    var hasLeftOrigin: Bool { parts?.value.hasLeftOrigin ?? false }
    /// Why the present attempt is made.
    var reason: AttemptRecord.Reason { parts?.value.reason ?? .call }
    /// Whether the present attempt is the first.
    var isEmpty: Bool { parts == nil }

    /// Records how the present attempt ended, and why there is another.
    mutating func add(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment,
        after earlier: EarlierExchanges = EarlierExchanges(),
        then next: AttemptRecord.Reason
    ) {
        add(earlier, of: request, started)
        add(record(outcome, of: request, at: now, started), then: next)
    }

    /// Records the exchanges of the present attempt before the last one.
    mutating func add(_ earlier: EarlierExchanges, of request: EncodedRequest, _ started: Moment) {
        if earlier.isEmpty { return }
        // What was decided after the attempt, and its end, are about its last exchange.
        let (decision, end) = (parts?.value.decision, parts?.value.end)
        change { ($0.decision, $0.end) = (nil, nil) }
        var last = 0
        for (number, exchange) in earlier.kept {
            let dropped = number - last - 1
            if dropped > 0 { change { $0.counts[$0.reason, default: 0] += dropped } }
            last = number
            add(record(exchange.outcome, of: request, at: exchange.ended, started), then: exchange.next)
            begin(at: exchange.nextBegan)
        }
        change { parts in
            (parts.decision, parts.end) = (decision, end)
            if earlier.mayHaveTakenEffect { parts.mayHaveTakenEffect = true }
        }
    }

    private mutating func add(_ ended: AttemptRecord, then next: AttemptRecord.Reason) {
        change { parts in
            AttemptRecord.append(ended, to: &parts.attempts)
            parts.counts[ended.reason, default: 0] += 1
            if ended.outcome.mayHaveTakenEffect { parts.mayHaveTakenEffect = true }
            parts.reason = next
            parts.decision = nil
            parts.end = nil
        }
    }

    /// Records how the present attempt has ended: one for the rest of a body, whose response isn't the call's.
    mutating func end(with outcome: AttemptRecord.Outcome, at now: Moment) { change { $0.end = (outcome, now) } }

    /// Forgets the redirects of a request for the rest of a body: the next one begins where the call's response is from.
    mutating func restoreRedirects(of earlier: CallHistory) {
        if hops.count == earlier.hops.count { return }
        change { ($0.hops, $0.hasLeftOrigin) = (earlier.hops, earlier.hasLeftOrigin) }
    }

    /// How many requests were sent before the present one.
    var count: Int { parts.map { $0.value.before + $0.value.counts.values.reduce(0, +) } ?? 0 }

    /// Records what the transport has observed of the attempt that ended last.
    mutating func note(_ facts: ExchangeFacts?) {
        guard let facts, let last = parts?.value.attempts.indices.last else { return }
        change { $0.attempts[last].facts = facts }
    }

    /// Records that a store's response replaces how the present attempt ended.
    mutating func fallBack(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment,
        after earlier: EarlierExchanges
    ) {
        add(outcome, of: request, at: now, started, after: earlier, then: .fallback)
        begin(at: now)
    }

    /// Records whether the present attempt is retried.
    mutating func note(_ decision: RetryDecision) { change { $0.decision = decision } }

    /// The authorizers whose proof was refused, and replaced by another one's: they add theirs no more.
    var refusedAuthors: Set<Int> { parts?.value.refusedAuthors ?? [] }

    /// Records that an authorizer's proof was refused, and another one answered.
    mutating func note(refusedAuthor index: Int) { change { $0.refusedAuthors.insert(index) } }

    /// How often the call repeated a request because something failed.
    var retryCount: Int { parts == nil ? 0 : count(of: .retry) + count(of: .resume) }

    /// Records a redirect.
    mutating func follow(_ hop: Response.Hop, to next: EncodedRequest) {
        change { parts in
            parts.hops.append(hop)
            if next.origin != hop.request.origin { parts.hasLeftOrigin = true }
        }
    }

    /// How many attempts were made for a reason, including the present one.
    func count(of reason: AttemptRecord.Reason) -> Int {
        (parts?.value.counts[reason] ?? 0) + (self.reason == reason ? 1 : 0)
    }

    /// Starts the next attempt.
    mutating func begin(at now: Moment) { change { $0.began = now } }

    /// All records, with those of the present attempt: its outcome comes last.
    func records(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment,
        after earlier: EarlierExchanges,
        facts: ExchangeFacts? = nil
    ) -> [AttemptRecord] {
        var whole = self
        whole.add(earlier, of: request, started)
        var last = whole.record(outcome, of: request, at: now, started)
        last.facts = facts
        return whole.attempts + [last]
    }

    private func record(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment
    ) -> AttemptRecord {
        // The first attempt begins with the call.
        let began = parts?.value.began ?? started
        var (outcome, ended) = (outcome, now)
        if let end = parts?.value.end { (outcome, ended) = (end.outcome, max(now, end.at)) }
        return AttemptRecord(
            number: 1 + count,
            reason: reason,
            request: request,
            outcome: outcome,
            elapsed: max(.zero, ended - began),
            retry: parts?.value.decision
        )
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        var changed = parts ?? Shared(Parts())
        parts = nil
        change(&changed.value)
        parts = changed
    }
}

extension CallHistory {
    /// The history of a request that decides for itself, but whose call has these records already: of many, the first and
    /// the last are kept.
    init(after records: [AttemptRecord], for reason: AttemptRecord.Reason, at now: Moment) {
        guard let last = records.last else { return }
        var parts = Parts()
        (parts.before, parts.reason, parts.began) = (last.number, reason, now)
        for record in records { AttemptRecord.append(record, to: &parts.attempts) }
        self.parts = Shared(parts)
    }
}

/// A call's exchanges: those before the present attempt, its request, and those within it.
struct CallExchanges: Sendable {
    var history: CallHistory
    var request: EncodedRequest
    /// Those of the present attempt before its last one.
    var earlier: EarlierExchanges

    init(_ history: CallHistory, _ request: EncodedRequest, after earlier: EarlierExchanges) {
        (self.history, self.request, self.earlier) = (history, request, earlier)
    }
}

/// Why the rest of a body could not be had.
struct RestFailure: Error {
    let error: any Error
    /// The call's, with those that were made for the rest.
    let exchanges: CallExchanges
    /// Whether the last request for it was passed to the transport.
    let wasSent: Bool

    init(_ error: any Error, _ history: CallHistory, _ request: EncodedRequest, wasSent: Bool) {
        let described = error as? CumulusError
        self.error = described?.after(exchanges: EarlierExchanges()) ?? error
        exchanges = CallExchanges(history, request, after: described?.earlier ?? EarlierExchanges())
        self.wasSent = wasSent
    }
}
