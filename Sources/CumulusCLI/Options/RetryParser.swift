// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Determines the retries.
struct RetryParser {
    private let options: Arguments

    init(_ options: Arguments) { self.options = options }

    /// The policy from `--retry` and its related options; `nil` if the command line doesn't set one.
    ///
    /// Downloads, and uploads in pieces, have retries without `--retry` (`useDefault`).
    func policy() throws(UsageMistake) -> RetryPolicy? {
        guard let count = options.retry else {
            if options.retryUnsafe { throw UsageMistake("--retry-unsafe needs --retry") }
            if options.command != .download, options.command != .upload { try requireNumber() }
            return nil
        }
        guard count > 0 else { return RetryPolicy(limit: 0) }
        // A single command is no crowd, so it needs no budget; like curl, it first waits a second.
        var policy = RetryPolicy(
            limit: count,
            backoff: RetryBackoff(base: .seconds(1), cap: .seconds(60)),
            maxWait: .seconds(600),
            budget: nil
        )
        limitTime(of: &policy)
        if options.retryUnsafe { policy.methods.formUnion([.post, .patch]) }
        return policy
    }

    /// Refuses a time limit of retries without their number.
    func requireNumber() throws(UsageMistake) {
        if options.retryMaxTime != nil, options.retry == nil {
            throw UsageMistake("--retry-max-time needs --retry")
        }
    }

    /// Gives a transfer the library's retries, unless an option sets their number.
    func useDefault(in plan: inout Plan) {
        if plan.choosesRetry { return }
        guard let seconds = options.retryMaxTime, seconds > 0 else { return plan.retry = nil }
        var policy = RetryPolicy.default
        limitTime(of: &policy)
        plan.retry = policy
    }

    private func limitTime(of policy: inout RetryPolicy) {
        guard let seconds = options.retryMaxTime, seconds > 0 else { return }
        policy.maxTime = .seconds(seconds)
        policy.maxWait = nil
    }
}
