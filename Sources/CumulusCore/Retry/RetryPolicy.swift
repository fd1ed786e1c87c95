// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// The rules for retries: which failed requests are sent again, how often, and after which wait.
///
/// ```swift
/// site.setRules { $0.retry = RetryPolicy(limit: 4) }
/// site.setRules { $0.retry?.backoff.cap = .seconds(5) }
/// site["payments"].setRules { $0.retry = .never }
/// ```
///
/// An attempt is retried if all of these conditions hold:
/// - Its failure may be temporary: the name was not found, no connection was established, a proxy was busy or could not
///   reach the host, the connection broke before or within the response, a time limit other than the deadline and the
///   rate limit's expired, or the response has one of ``statuses``. If these include 429, a 403 is also temporary if it
///   reports when to send the next request, or that a limit is used up (as GitHub does). An untrusted certificate, a
///   refused redirect, a body that can't be decoded and a cancelled call are final.
/// - Sending it twice is harmless: its method is one of ``methods``, it has an `Idempotency-Key` that isn't empty (see
///   ``Resource/Settings/idempotencyKey``), no connection was established (so nothing was sent), or the server refused
///   it with 429, with 503 and a `Retry-After`, or with such a 403.
/// - Its body can be produced again.
/// - The wait is not longer than ``maxWait``, and ends before ``maxTime`` and the call's
///   ``Resource/Settings/deadline``. Otherwise the call ends immediately.
/// - The origin's ``budget`` is not used up.
///
/// The server's wait takes precedence: `Retry-After-Ms`, `Retry-After`, and, in 429, 503 and 403 responses, the reset
/// time of a used-up limit in any of the fields that ``RequestQuota`` lists, or `Backoff`. Otherwise ``backoff``
/// determines the wait. During the wait, the slot of ``Resource/Rules/maxConcurrentRequests`` is released.
/// ``Response/attempts`` and ``CumulusError/attempts`` report the decisions and their reasons.
public struct RetryPolicy: Sendable {
    /// A function that decides instead of the rules; see ``decide``.
    public typealias Decide = @Sendable (RetryContext) async -> RetryChoice

    /// The maximum number of further attempts that failures may cause; `nil` means no limit.
    public var limit: Int?
    /// The methods that may be sent twice.
    public var methods: Set<HTTPRequest.Method>
    /// The statuses that may be temporary: by default 408, 425, 429, 500, 502, 503 and 504.
    public var statuses: StatusSet
    /// The wait between attempts, unless the server requests one.
    public var backoff: RetryBackoff
    /// The longest wait that a server may request, including before a redirect; `nil` means no limit.
    ///
    /// If the server requests a longer wait, the call ends immediately with its response.
    public var maxWait: Duration?
    /// The time after the call's start within which the last retry must start; `nil` means no limit.
    ///
    /// Unlike ``Resource/Settings/deadline``, it doesn't end a running attempt.
    public var maxTime: Duration?
    /// The limit on an origin's retries, in proportion to its calls; `nil` means no limit.
    ///
    /// The resources of a tree share it.
    public var budget: RetryBudget?
    /// Whether a request may be sent again within an attempt, without a wait: after a connection that the server had
    /// closed, a refusal over HTTP/2, or a response of 408, 417 or 421, where that is harmless.
    ///
    /// These repetitions don't count towards ``limit``. They need no policy, so they also occur with a limit of 0.
    public var repeatsWithinAttempts: Bool
    /// Your own rule, which is called after each attempt that isn't continued by a redirect or a challenge, including
    /// successful attempts.
    ///
    /// Its choice overrides ``limit``, ``methods`` and ``statuses``. Even so, a body that can't be produced again is
    /// not sent, no wait outlasts the deadline, and the budget limits repeated failures: errors, and statuses of 400 or
    /// more. It runs like an interceptor: it may wait, and is cancelled when the call is cancelled or its deadline
    /// passes. Default: `nil`.
    public var decide: Decide?

    /// Creates a policy; other values are as in ``default``.
    public init(
        limit: Int? = 2,
        methods: Set<HTTPRequest.Method> = RetryPolicy.idempotentMethods,
        statuses: StatusSet = .transient,
        backoff: RetryBackoff = RetryBackoff(),
        maxWait: Duration? = .seconds(60),
        maxTime: Duration? = nil,
        budget: RetryBudget? = RetryBudget(),
        repeatsWithinAttempts: Bool = true,
        decide: Decide? = nil
    ) {
        self.limit = limit.map { max(0, $0) }
        self.methods = methods
        self.statuses = statuses
        self.backoff = backoff
        self.maxWait = maxWait
        self.maxTime = maxTime
        self.budget = budget
        self.repeatsWithinAttempts = repeatsWithinAttempts
        self.decide = decide
    }

    /// Two retries, after waits of at most 0.3 and 0.6 seconds.
    public static let `default` = RetryPolicy()

    /// No repetition: requests are not sent again, either after an attempt or within one, and interrupted bodies are
    /// not resumed.
    ///
    /// Responses to challenges, redirects, and requests that an interceptor repeats are still sent. `URLSession` may
    /// still repeat requests without reporting it.
    public static let never = RetryPolicy(limit: 0, budget: nil, repeatsWithinAttempts: false)

    /// A policy for a request that a user is waiting for: it retries until the request succeeds or is cancelled, with
    /// waits of up to a minute.
    ///
    /// It retries temporary failures, including all server errors (5xx) except 501 and 505, of requests whose methods
    /// may be sent twice. It has no budget, and accepts any wait that the server requests; a deadline still ends it.
    public static let solicited = RetryPolicy(
        limit: nil,
        statuses: StatusSet.transient.union(StatusSet(506..<600)).union([.locked]),
        backoff: RetryBackoff(base: .milliseconds(500), cap: .seconds(60)),
        maxWait: nil,
        budget: nil
    )

    /// GET, HEAD, OPTIONS, TRACE, PUT, DELETE (RFC 9110 section 9.2.2) and QUERY.
    public static let idempotentMethods: Set<HTTPRequest.Method> = {
        var methods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete]
        if let query = HTTPRequest.Method(rawValue: "QUERY") { methods.insert(query) }
        return methods
    }()
}

extension TransportRequest {
    /// Whether sending the request twice has the same effect as sending it once: it has an idempotent method (RFC 9110
    /// section 9.2.2), or an `Idempotency-Key`.
    public var isIdempotent: Bool {
        RetryPolicy.idempotentMethods.contains(method) || headers.idempotencyKey != nil
    }
}

extension RetryPolicy: CustomStringConvertible {
    /// A short description of the policy.
    public var description: String {
        guard limit != 0 || decide != nil else { return repeatsWithinAttempts ? "only within attempts" : "never" }
        let count = limit.map { "\($0)" } ?? "any number of"
        let wait = maxWait.map { ", waits up to \(SpokenDuration($0))" } ?? ""
        let budget = budget.map { ", \($0)" } ?? ", no budget"
        return "\(count) retries, \(backoff)\(wait)\(budget)\(decide == nil ? "" : ", subject to `decide`")"
    }
}
