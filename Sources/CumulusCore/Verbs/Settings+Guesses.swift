// SPDX-License-Identifier: Apache-2.0

// Settings of other libraries, each with a message that names the remedy.
extension Resource.Settings {
    /// Unavailable: children belong to resources, not to settings.
    ///
    /// Without it, the compiler also tries the subscripts of settings, and often doesn't report mistakes after
    /// `site["posts"]`.
    @available(*, unavailable, message: "use a child of the resource: `site[\"posts\"]`")
    public subscript(path: ResourcePath) -> Resource {
        get { Resource(nowhere: "", transport: NoTransport()) }
        set {}
    }

    /// Unavailable: the cache belongs to a different module.
    @available(*, unavailable, message: "the cache is in the product CumulusCache: `import CumulusCache`")
    public var cache: CacheGuess? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use an authorizer for credentials: `authorizers = [.bearer(token)]`")
    public var authorization: BoundAuthorizer? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use an authorizer for credentials: `authorizers = [.bearer(token)]`")
    public var bearerToken: String? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(
        *,
        unavailable,
        message:
            "set the product: `client = ClientIdentity(name: \"App\")`, or the header field: `headers[.userAgent] = \"App/1.0\"`"
    )
    public var userAgent: String? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "set the limit of the retry policy: `retry?.limit = 3`")
    public var retries: Int? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "set the limit of the retry policy: `retry?.limit = 3`")
    public var maxRetries: Int? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(
        *,
        unavailable,
        message: "limit the requests: `maxConcurrentRequests = 4`; a `NIOTransport.Configuration` limits connections"
    )
    public var maxConnections: Int? {
        get { nil }
        set {}
    }

    /// Unavailable: a payload is compressed where it is sent.
    @available(*, unavailable, message: "compress a payload where you send it: `post(.json(value).compressed())`")
    public var compression: ContentCoding? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "register a coder: `coders.json = JSONCoder(...)`")
    public var decoder: Any? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "register a coder: `coders.json = JSONCoder(...)`")
    public var jsonDecoder: Any? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use a duration: `timeout = .seconds(5)`")
    public var timeoutInterval: Double? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use a policy: `redirects = .none`")
    public var followRedirects: Bool? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use a swift-log logger: `logger = Logger(label: \"api\")`")
    public var logging: Any? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "pass the URL to the root of the tree: `Resource(url)`")
    public var baseURL: String? {
        get { nil }
        set {}
    }
}

extension Resource.Settings {
    /// A placeholder for the cache if its module isn't imported, so that the compiler's message is the same for each
    /// form of the cache.
    public struct CacheGuess: Sendable {
        /// Unavailable: the cache belongs to a different module.
        @available(*, unavailable, message: "the cache is in the product CumulusCache: `import CumulusCache`")
        public static func memory(megabytes: Int = 0) -> CacheGuess? { nil }

        /// Unavailable: the cache belongs to a different module.
        @available(*, unavailable, message: "the cache is in the product CumulusCache: `import CumulusCache`")
        public static func disk(_ folder: String = "", megabytes: Int = 0) -> CacheGuess? { nil }
    }
}

extension RedirectPolicy {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use `.none` to follow no redirects")
    public static var never: RedirectPolicy { .none }
}

extension RetryPolicy {
    /// Unavailable: a name that other libraries use.
    @available(
        *,
        unavailable,
        message: "waits double by default: write `RetryPolicy(limit: 3)`, and `backoff` for other steps"
    )
    public static var exponential: RetryPolicy { .default }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `RetryPolicy(limit: 2)` for two retries, which are three attempts")
    public static func attempts(_ count: Int) -> RetryPolicy { .default }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use `statuses` for the statuses to retry")
    public var refusals: StatusSet {
        get { .successful }
        set {}
    }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use `limit` for the number of retries")
    public var maxAttempts: Int {
        get { 0 }
        set {}
    }
}

extension RetryBackoff {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "steps double by default: `RetryBackoff(base: .seconds(1), cap: .seconds(20))`")
    public static var exponential: RetryBackoff { RetryBackoff() }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "steps double by default: `RetryBackoff(base: .seconds(1), cap: .seconds(20))`")
    public static func exponential(base: Duration, cap: Duration = .zero) -> RetryBackoff { RetryBackoff() }
}

/// Unavailable: a name that other libraries use.
@available(*, unavailable, renamed: "RetryChoice")
public typealias RetryDirective = RetryChoice

extension RetryChoice {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "send it again with `.again()`")
    public static var retry: RetryChoice { .proposed }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "end the call with `.stop`")
    public static var doNotRetry: RetryChoice { .proposed }
}

extension RateLimit {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `.requests(10, per: .seconds(1))`")
    public static func perSecond(_ count: Int) -> RateLimit { .requests(count, per: .seconds(1)) }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `.requests(60, per: .seconds(60))`")
    public static func perMinute(_ count: Int) -> RateLimit { .requests(count, per: .seconds(60)) }
}

extension RateLimit {
    /// Unavailable: each user has a quota.
    @available(*, unavailable, message: "`.quota` already counts each user separately")
    public var perIdentity: RateLimit { self }
}

/// Unavailable: a proxy's URL may be malformed, which a literal could not report.
@available(*, unavailable, message: "a proxy's URL may be malformed: `try .url(\"http://localhost:8080\")`")
extension ProxyPolicy: ExpressibleByStringLiteral {
    /// A proxy's URL may be malformed.
    public init(stringLiteral url: String) { self = .none }
}

extension ProxyPolicy {
    /// Unavailable: a proxy has a URL.
    @available(*, unavailable, message: "pass the proxy's URL: `try .url(\"http://localhost:8080\")`")
    public static func http(host: String, port: Int) -> ProxyPolicy { .none }
}

extension CachePolicy {
    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `.reload`")
    public static var reloadIgnoringLocalCacheData: CachePolicy { .reload }

    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `.cachedElseLoad`")
    public static var returnCacheDataElseLoad: CachePolicy { .cachedElseLoad }

    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `.offline`")
    public static var returnCacheDataDontLoad: CachePolicy { .offline }
}

extension PagingRule {
    /// Unavailable: links can be in two places.
    @available(
        *,
        unavailable,
        message: "use `.links` for the Link field, or `.link(at: \"next\")` for a link in the document"
    )
    public static var link: PagingRule { .links }

    /// Unavailable: a cursor needs a path and a query item.
    @available(
        *,
        unavailable,
        message: "write the cursor's path and the query item: `.cursor(at: \"next\", query: \"cursor\")`"
    )
    public static func cursor(_ path: String) -> PagingRule { .links }
}

extension ClientIdentity {
    /// Unavailable: the name is passed with a label.
    @available(*, unavailable, message: "pass the name with a label: `ClientIdentity(name: \"App\", version: \"1.0\")`")
    public init(_ name: String, version: String? = nil) { self.init(name: name, version: version) }
}
