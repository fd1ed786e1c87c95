// SPDX-License-Identifier: Apache-2.0

/// The limit for retries to an origin: an initial number, then a share of the calls, and a number per second.
///
/// When a server is in trouble, all of its clients fail and try again. Without a limit, that multiplies its load when
/// it can handle it least. By default, a program that makes 1,000 calls per second adds at most 20%. The resources of
/// a tree share the budget of an origin. A retry after a time limit counts twice, since the server may still be
/// processing the first request.
public struct RetryBudget: Sendable, Hashable {
    /// The number of retries that may be made at once, after a period without any.
    public var burst: Int
    /// The number of retries that each call of the tree adds.
    public var share: Double
    /// The number of retries that each second adds, for programs that make few calls.
    public var perSecond: Double

    /// Creates a budget; negative numbers count as zero.
    public init(burst: Int = 100, share: Double = 0.2, perSecond: Double = 1) {
        self.burst = max(0, burst)
        self.share = share > 0 ? share : 0
        self.perSecond = perSecond > 0 ? perSecond : 0
    }
}

extension RetryBudget: CustomStringConvertible {
    /// A description of the budget.
    public var description: String { "\(burst) at once, \(share) per call and \(perSecond) per second" }
}
