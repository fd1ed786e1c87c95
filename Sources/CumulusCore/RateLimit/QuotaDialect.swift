// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The fields in which a family of services reports its quota.
struct QuotaDialect: Sendable {
    let limit: HTTPField.Name?
    let remaining: HTTPField.Name?
    let reset: HTTPField.Name?
    /// Seconds, possibly with a fraction; it takes precedence over ``reset``.
    let resetAfter: HTTPField.Name?
    /// Milliseconds.
    let window: HTTPField.Name?
    let names: [HTTPField.Name]
    /// Whether it counts requests, which a rate limit needs.
    ///
    /// Other units are only used for the time of the next request.
    let countsRequests: Bool

    private init(
        _ limit: String?,
        _ remaining: String?,
        _ reset: String? = nil,
        after: String? = nil,
        window: String? = nil,
        names: [String] = [],
        countsRequests: Bool = true
    ) {
        self.limit = limit.flatMap { HTTPField.Name($0) }
        self.remaining = remaining.flatMap { HTTPField.Name($0) }
        self.reset = reset.flatMap { HTTPField.Name($0) }
        resetAfter = after.flatMap { HTTPField.Name($0) }
        self.window = window.flatMap { HTTPField.Name($0) }
        self.names = names.compactMap { HTTPField.Name($0) }
        self.countsRequests = countsRequests
    }

    /// The known dialects; a rate limit uses the first one that a response contains.
    static let all = [
        // The earlier drafts; GitLab and Docker Hub.
        QuotaDialect("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        // GitHub, Discord, Reddit, Atlassian and most others.
        QuotaDialect(
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            after: "X-RateLimit-Reset-After",
            names: ["X-RateLimit-Bucket", "X-RateLimit-Resource"]
        ),
        // Twitter, Okta.
        QuotaDialect("X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"),
        // OpenAI.
        QuotaDialect("X-RateLimit-Limit-Requests", "X-RateLimit-Remaining-Requests", "X-RateLimit-Reset-Requests"),
        // Anthropic.
        QuotaDialect(
            "Anthropic-RateLimit-Requests-Limit",
            "Anthropic-RateLimit-Requests-Remaining",
            "Anthropic-RateLimit-Requests-Reset"
        ),
        tokens("X-RateLimit-", "-Tokens"),
        tokens("Anthropic-RateLimit-Tokens-"),
        tokens("Anthropic-RateLimit-Input-Tokens-"),
        tokens("Anthropic-RateLimit-Output-Tokens-"),
        QuotaDialect(
            "X-HubSpot-RateLimit-Max",
            "X-HubSpot-RateLimit-Remaining",
            window: "X-HubSpot-RateLimit-Interval-Milliseconds"
        ),
        // Azure.
        QuotaDialect(nil, "X-Ms-RateLimit-Remaining-Subscription-Reads"),
        QuotaDialect(nil, "X-Ms-RateLimit-Remaining-Subscription-Writes"),
    ]

    /// A limit of a language model's tokens.
    private static func tokens(_ prefix: String, _ suffix: String = "") -> QuotaDialect {
        let names = ["Limit", "Remaining", "Reset"].map { prefix + $0 + suffix }
        return QuotaDialect(names[0], names[1], names[2], countsRequests: false)
    }
}

extension HTTPField.Name {
    /// `RateLimit`, draft-ietf-httpapi-ratelimit-headers.
    static let rateLimit = HTTPField.Name("RateLimit")
    /// `RateLimit-Policy`, from the same draft.
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy")
    /// The number of calls made, and their limit: `32/40`.
    static let shopifyCallLimit = HTTPField.Name("X-Shopify-Shop-Api-Call-Limit")
}
