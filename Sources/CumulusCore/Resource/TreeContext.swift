// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The objects that all requests of a tree share: the transport, and the records of running requests.
struct TreeContext: Sendable {
    let transport: any Transport
    let callList = RunningCallList()
    /// Exchanges that several callers wait for; at most 1,024 callers for each.
    let joins = WorkTable<JoinKey, Response>(mostWaiters: 1024)
    let retryBudgets = RetryBudgets()
}
