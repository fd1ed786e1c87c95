// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// When requests of a place are hedged, and at whose cost.
struct HedgePlan: Sendable {
    let extra: Int
    private let delay: Hedging.Delay
    private let budget: RetryBudget?
    private let budgets: RetryBudgets
    private let ledger: RequestLedger
    private let latencies: LatencyBook

    /// `nil` if nothing is hedged.
    init?(_ settings: SettingValues, _ context: TreeContext) {
        guard let hedging = settings.value(HedgingKey.self), hedging.extra > 0 else { return nil }
        extra = hedging.extra
        delay = hedging.delay
        let retry = settings.value(RetryKey.self)
        // Who wants no retries has not said that hedges may be without bound.
        let isRetrying = retry.map { $0.limit != 0 || $0.decide != nil } ?? false
        budget = isRetrying ? retry?.budget : retry?.budget ?? RetryBudget()
        budgets = context.retryBudgets
        ledger = context.ledger
        latencies = context.latencies
    }

    /// Whether a request may be sent twice at once: it asks only, and has no body.
    func covers(_ request: EncodedRequest) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        if case .none = request.body { return true }
        return false
    }

    /// How long to wait for the answer; `nil` if nothing is known yet.
    func delay(for request: EncodedRequest) -> Duration? {
        switch delay {
        case .fixed(let delay): delay
        case .percentile(let share): latencies.percentile(share, of: request)
        }
    }

    /// Takes note of how long an answer's head took, or of how long there was none.
    func note(_ latency: Duration, of request: EncodedRequest) {
        if case .percentile = delay { latencies.note(latency, of: request) }
    }

    /// Takes a retry of the origin, if there is one.
    func spend(at origin: Origin, now: Moment) -> Bool {
        guard let budget else { return true }
        return budgets.take(1, from: origin, of: budget, load: ledger.load, at: now)
    }

    /// Whether an answer is taken at once: not one that may pass, or that misses a proof which may be used only once.
    func counts(_ head: ResponseHead) -> Bool {
        !StatusSet.transient.contains(head.status) && head.status != .unauthorized
    }
}
