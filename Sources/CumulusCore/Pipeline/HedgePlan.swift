// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// When requests of a place are hedged, and which budget pays for it.
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
        // Turning off retries doesn't mean that hedges have no bound.
        let isRetrying = retry.map { $0.limit != 0 || $0.decide != nil } ?? false
        budget = isRetrying ? retry?.budget : retry?.budget ?? RetryBudget()
        budgets = context.retryBudgets
        ledger = context.ledger
        latencies = context.latencies
    }

    /// Whether a request may be sent twice at once: it only reads, and has no body.
    func covers(_ request: EncodedRequest) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        if case .none = request.body { return true }
        return false
    }

    /// How long to wait for the response; `nil` if nothing is known yet.
    func delay(for request: EncodedRequest) -> Duration? {
        switch delay {
        case .fixed(let delay): delay
        case .percentile(let share): latencies.percentile(share, of: request)
        }
    }

    /// Records how long a response's head took, or how long there was none.
    func note(_ latency: Duration, of request: EncodedRequest) {
        if case .percentile = delay { latencies.note(latency, of: request) }
    }

    /// Takes a retry from the origin's budget, if there is one.
    func spend(at origin: Origin, now: Moment) -> Bool {
        guard let budget else { return true }
        return budgets.take(1, from: origin, of: budget, load: ledger.load, at: now)
    }

    /// Whether a response is used immediately: not a temporary failure, and not a 401, whose proof may be usable only
    /// once.
    func counts(_ head: ResponseHead) -> Bool {
        !StatusSet.transient.contains(head.status) && head.status != .unauthorized
    }
}
