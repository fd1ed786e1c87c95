// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The requests of a download over one connection, as its response or error shows them; no I/O.
///
/// Each of them is a request that recovery decides about for itself, so only the records go from one to the next.
struct DownloadHistory: Sendable {
    /// Of those that have ended.
    private var records: [AttemptRecord] = []
    /// The one under way.
    private var present: CallExchanges?
    private var status: HTTPResponse.Status?

    /// The history for another request.
    mutating func begin(_ request: EncodedRequest, _ reason: AttemptRecord.Reason, at now: Moment) -> CallHistory {
        let history = CallHistory(after: records, for: reason, at: now)
        (present, status) = (CallExchanges(history, request, after: EarlierExchanges()), nil)
        return history
    }

    mutating func answered(_ answer: RangeFetch.Answer) {
        (present, status) = (answer.exchanged.exchanges, answer.head.status)
    }

    /// The request was answered, and another one follows.
    mutating func end(at now: Moment, _ started: Moment) {
        if let status { end(.answered(status), nil, at: now, started) }
    }

    /// The request, or its body, has failed.
    mutating func end(with failure: CumulusError, _ decision: RetryDecision? = nil, at now: Moment, _ started: Moment) {
        // Its own records tell of those before it as well.
        if status == nil, !failure.attempts.isEmpty {
            (records, present) = (failure.attempts, nil)
            if let decision { records[records.count - 1].retry = decision }
        } else if let status, failure.isAbout(status) {
            end(.answered(status), decision, at: now, started)
        } else {
            end(.failed(failure), decision, at: now, started)
        }
    }

    private mutating func end(
        _ outcome: AttemptRecord.Outcome,
        _ decision: RetryDecision?,
        at now: Moment,
        _ started: Moment
    ) {
        guard var exchanges = present else { return }
        if let decision { exchanges.history.note(decision) }
        records = exchanges.history.records(
            outcome,
            of: exchanges.request,
            at: now,
            started,
            after: exchanges.earlier
        )
        present = nil
    }

    /// The error of the whole download, with what was sent before it, if there were several requests or a retry was
    /// considered.
    func complete(_ error: CumulusError, at now: Moment, _ started: Moment) -> CumulusError {
        var whole = self
        whole.end(with: error, at: now, started)
        let all = whole.records
        return all.count > 1 || all.last?.retry != nil ? error.after(all) : error
    }
}
