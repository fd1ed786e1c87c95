// SPDX-License-Identifier: Apache-2.0

/// What `cumulus bench` is to do.
struct BenchPlan: Sendable {
    var request: Plan
    /// `Int.max` where only the time counts.
    let requests: Int
    let concurrency: Int
    let duration: Duration?
    let printsJSON: Bool
}
