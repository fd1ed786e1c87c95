// SPDX-License-Identifier: Apache-2.0

/// A call's history before its present attempt.
struct CallHistory: Sendable {
    private struct Parts: Sendable {
        var hops: [Response.Hop] = []
        var attempts: [AttemptRecord] = []
        var hasLeftOrigin = false
        var reason = AttemptRecord.Reason.call
        var began: Moment?
        var decision: RetryDecision?
        var resumptions = 0
        var repetitions = TransportRepetitions()
        var hasLostAnswer = false
        var refusedAuthors: Set<Int> = []
    }

    // Most calls have one attempt, and nothing to keep or copy.
    private var parts: Shared<Parts>?

    /// The redirects that were followed.
    var hops: [Response.Hop] { parts?.value.hops ?? [] }
    /// The attempts before the present one.
    var attempts: [AttemptRecord] { parts?.value.attempts ?? [] }
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
        _ repetitions: TransportRepetitions,
        then next: AttemptRecord.Reason
    ) {
        let ended = record(outcome, of: request, at: now, started, sentAgain: repetitions)
        change { parts in
            parts.attempts.append(ended)
            parts.reason = next
            parts.decision = nil
            parts.repetitions = TransportRepetitions()
            parts.hasLostAnswer = false
        }
    }

    /// Records that a store's response replaces how the present attempt ended.
    mutating func fallBack(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment
    ) {
        add(outcome, of: request, at: now, started, TransportRepetitions(), then: .fallback)
        begin(at: now)
    }

    /// Records whether the present attempt is retried.
    mutating func note(_ decision: RetryDecision) { change { $0.decision = decision } }

    /// Records how often the present attempt's body was resumed.
    mutating func note(resumptions count: Int) { if count > 0 { change { $0.resumptions += count } } }

    /// Records how often the transport sent the present attempt's request again, before its body failed.
    mutating func note(_ repetitions: TransportRepetitions) {
        if !repetitions.isEmpty { change { $0.repetitions = repetitions } }
    }

    /// Records that an interceptor got no response to a request of the present attempt.
    mutating func noteLostAnswer() { change { $0.hasLostAnswer = true } }

    /// The authorizers whose proof was refused, and replaced by another one's: they add theirs no more.
    var refusedAuthors: Set<Int> { parts?.value.refusedAuthors ?? [] }

    /// Records that an authorizer's proof was refused, and another one answered.
    mutating func note(refusedAuthor index: Int) { change { $0.refusedAuthors.insert(index) } }

    /// How often the call repeated a request because something failed.
    var retryCount: Int { parts == nil ? 0 : count(of: .retry) + (parts?.value.resumptions ?? 0) }

    /// Records a redirect.
    mutating func follow(_ hop: Response.Hop, to next: EncodedRequest) {
        change { parts in
            parts.hops.append(hop)
            if next.origin != hop.request.origin { parts.hasLeftOrigin = true }
        }
    }

    /// How many attempts were made for a reason, including the present one.
    func count(of reason: AttemptRecord.Reason) -> Int {
        attempts.count { $0.reason == reason } + (self.reason == reason ? 1 : 0)
    }

    /// Starts the next attempt.
    mutating func begin(at now: Moment) { change { $0.began = now } }

    /// The record of the present attempt with its outcome.
    func record(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment,
        sentAgain repetitions: TransportRepetitions
    ) -> AttemptRecord {
        // The first attempt begins with the call.
        let began = parts?.value.began ?? started
        return AttemptRecord(
            reason: reason,
            request: request,
            outcome: outcome,
            elapsed: now - began,
            retry: parts?.value.decision,
            repetitions: repetitions + (parts?.value.repetitions ?? TransportRepetitions()),
            hasLostAnswer: parts?.value.hasLostAnswer ?? false
        )
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        var changed = parts ?? Shared(Parts())
        parts = nil
        change(&changed.value)
        parts = changed
    }
}
