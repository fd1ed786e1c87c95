// SPDX-License-Identifier: Apache-2.0

/// What all requests of a tree share: the transport, and what is known of those that run.
struct TreeContext: Sendable {
    let transport: any Transport
    let ledger = RequestLedger()
    /// Exchanges that several callers wait for; 1,024 at most for each.
    let joins = WorkTable<JoinKey, Response>(mostWaiters: 1024)
    let limits = PlaceTable { LimitGate() }
    let paces = PlaceTable { PaceGate() }
    let retryBudgets = RetryBudgets()
    let latencies = LatencyBook()
}
