// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Determines the retries.
struct RetryParser {
    private let options: Arguments

    init(_ options: Arguments) { self.options = options }

    /// The policy from `--retry` and its related options; `nil` if the command line doesn't set one.
    func policy() throws(UsageMistake) -> RetryPolicy? {
        guard let count = options.retry else {
            if options.retryMaxTime != nil { throw UsageMistake("--retry-max-time has no effect without --retry") }
            if options.retryUnsafe { throw UsageMistake("--retry-unsafe has no effect without --retry") }
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
        if let seconds = options.retryMaxTime, seconds > 0 {
            policy.maxTime = .seconds(seconds)
            policy.maxWait = nil
        }
        if options.retryUnsafe { policy.methods.formUnion([.post, .patch]) }
        return policy
    }
}
