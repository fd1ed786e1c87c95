// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Determines the retries.
struct RetryParser {
    private let options: ConnectionOptions

    init(_ options: ConnectionOptions) { self.options = options }

    /// The policy from `--retry` and its related options; `nil` if the command line doesn't set one.
    func policy() throws(UsageMistake) -> RetryPolicy? {
        guard let count = options.retry else {
            if options.retryMaxTime != nil { throw UsageMistake("--retry-max-time has no effect without --retry") }
            if options.retryUnsafe { throw UsageMistake("--retry-unsafe has no effect without --retry") }
            return nil
        }
        guard 0...1000 ~= count else { throw UsageMistake("--retry takes a number from 0 to 1000") }
        guard count > 0 else { return RetryPolicy(limit: 0) }
        // A single command is no crowd, so it needs no budget; like curl, it first waits a second.
        var policy = RetryPolicy(
            limit: count,
            backoff: RetryBackoff(base: .seconds(1), cap: .seconds(60)),
            maxWait: .seconds(600),
            budget: nil
        )
        if let seconds = options.retryMaxTime {
            guard seconds.isFinite, 0...31_536_000 ~= seconds else {
                throw UsageMistake("--retry-max-time takes seconds from 0 to a year", hint: "0 means no limit")
            }
            if seconds > 0 {
                policy.maxTime = .seconds(seconds)
                policy.maxWait = nil
            }
        }
        if options.retryUnsafe { policy.methods.formUnion([.post, .patch]) }
        return policy
    }
}
