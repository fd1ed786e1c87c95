// SPDX-License-Identifier: Apache-2.0

/// What all requests of a tree share: the transport, and what is known of those that run.
struct TreeContext: Sendable {
    let transport: any Transport
    let ledger = RequestLedger()
    let joins = JoinTable()
    let limits = LimitGates()
}
