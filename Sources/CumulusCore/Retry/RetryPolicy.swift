// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Which requests that failed are sent again, how often, and after which wait.
///
/// ```swift
/// site.retry = RetryPolicy(limit: 4)
/// site.retry?.backoff.cap = .seconds(5)
/// site["payments"].retry = .never
/// ```
///
/// An attempt is retried if all of these conditions hold:
/// - Its failure may be temporary: the name was not found, no connection was made, a proxy was busy or could not reach
///   the host, it broke off before or within the answer, a time limit other than the deadline passed, or the answer has
///   one of ``statuses``. A certificate that isn't trusted, a refused redirect, a body that can't be decoded and a
///   cancelled call are final.
/// - Sending it twice does no harm: its method is one of ``methods``, it has an `Idempotency-Key` (see
///   ``Settings/idempotencyKey``), or no connection was made, so that nothing of it was sent.
/// - Its body can be produced again.
/// - The wait is not longer than ``maxWait``, and ends before ``maxTime`` and the call's ``Settings/deadline``.
///   Otherwise the call ends at once.
/// - The origin's ``budget`` is not used up.
///
/// The server's wait takes precedence: `Retry-After-Ms`, `Retry-After`, and in answers of 429 and 503 the reset of
/// `RateLimit`, `RateLimit-Reset` or `X-RateLimit-Reset`, or `Backoff`. Else ``backoff`` says how long. A slot of
/// ``Settings/maxConcurrentRequests`` is given back meanwhile. ``Response/attempts`` and ``CumulusError/attempts`` tell
/// what was decided and why.
public struct RetryPolicy: Sendable {
    /// Decides in the rules' place; see ``decide``.
    public typealias Decide = @Sendable (RetryQuestion) async -> RetryChoice

    /// How many attempts may follow the first because something failed; `nil` is any number.
    public var limit: Int?
    /// The methods that may be sent twice.
    public var methods: Set<HTTPRequest.Method>
    /// The statuses that may pass.
    public var statuses: StatusSet
    /// How long to wait where the server doesn't say.
    public var backoff: RetryBackoff
    /// The longest wait that a server may ask for; `nil` is any.
    ///
    /// If the server asks for more, the call ends at once with its response.
    public var maxWait: Duration?
    /// How long after the call's beginning the last retry may begin; `nil` is any time.
    ///
    /// Unlike ``Settings/deadline`` it ends no attempt that runs.
    public var maxTime: Duration?
    /// How many retries an origin gets in proportion to the calls; `nil` is any number.
    ///
    /// The resources of a tree share it.
    public var budget: RetryBudget?
    /// Your own rule, asked after each attempt that no redirect or challenge continues, successful ones among them.
    ///
    /// Its choice overrides ``limit``, ``methods`` and ``statuses``. Even so, a body that can't be produced again is
    /// not sent, no wait outlasts the deadline, and the budget limits repeated failures. It runs like an interceptor:
    /// it may wait, and cancelling the call, or its deadline, cancels it. Default: `nil`.
    public var decide: Decide?

    /// Makes a policy; other values are as in ``default``.
    public init(
        limit: Int? = 2,
        methods: Set<HTTPRequest.Method> = RetryPolicy.idempotentMethods,
        statuses: StatusSet = .transient,
        backoff: RetryBackoff = RetryBackoff(),
        maxWait: Duration? = .seconds(60),
        maxTime: Duration? = nil,
        budget: RetryBudget? = RetryBudget(),
        decide: Decide? = nil
    ) {
        self.limit = limit.map { max(0, $0) }
        self.methods = methods
        self.statuses = statuses
        self.backoff = backoff
        self.maxWait = maxWait
        self.maxTime = maxTime
        self.budget = budget
        self.decide = decide
    }

    /// Two retries, with at most 0.3 and 0.6 seconds between.
    public static let `default` = RetryPolicy()

    /// No retry.
    public static let never = RetryPolicy(limit: 0, budget: nil)

    /// For a request that a person waits for: retries until it succeeds or is cancelled, with up to a minute in
    /// between.
    ///
    /// It retries temporary failures, including all server errors (5xx) except 501 and 505, of methods that may be sent
    /// twice. It has no budget, and accepts any wait that the server asks for; a deadline still ends it.
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

extension RetryPolicy: CustomStringConvertible {
    /// The policy in a few words.
    public var description: String {
        guard limit != 0 || decide != nil else { return "never" }
        let count = limit.map { "\($0)" } ?? "any number of"
        let wait = maxWait.map { ", waits up to \(SpokenDuration($0))" } ?? ""
        let budget = budget.map { ", \($0)" } ?? ", no budget"
        return "\(count) retries, \(backoff)\(wait)\(budget)\(decide == nil ? "" : ", as `decide` says")"
    }
}
