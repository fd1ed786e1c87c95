// SPDX-License-Identifier: Apache-2.0

/// A plan of `cumulus bench`.
struct BenchPlan: Sendable {
    var request: Plan
    /// `Int.max` if only the time counts.
    let requests: Int
    let concurrency: Int
    let duration: Duration?
    let printsJSON: Bool
}
