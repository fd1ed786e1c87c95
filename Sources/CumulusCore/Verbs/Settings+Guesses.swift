// SPDX-License-Identifier: Apache-2.0

// Settings of other libraries, each with a message that names the remedy.
extension Resource.Settings {
    /// The cache is another module's.
    @available(*, unavailable, message: "the cache is in the product CumulusCache: `import CumulusCache`")
    public var cache: CacheGuess? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "credentials are authorizers: `authorizers = [.bearer(token)]`")
    public var authorization: String? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "credentials are authorizers: `authorizers = [.bearer(token)]`")
    public var bearerToken: String? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(
        *,
        unavailable,
        message: "the product's name is `client`, or write the field: `headers[.userAgent] = \"name/1.0\"`"
    )
    public var userAgent: String? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "retries are a policy: `retry?.limit = 3`")
    public var retries: Int? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "coders are registered: `coders.json = JSONCoder(...)`")
    public var decoder: Any? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "coders are registered: `coders.json = JSONCoder(...)`")
    public var jsonDecoder: Any? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "a duration: `timeout = .seconds(5)`")
    public var timeoutInterval: Double? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "a policy: `redirects = .none`")
    public var followRedirects: Bool? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "a logger of swift-log: `logger = Logger(label: \"api\")`")
    public var logging: Any? {
        get { nil }
        set {}
    }

    /// A name of other libraries.
    @available(*, unavailable, message: "the root of a tree has the URL: `Resource(url)`")
    public var baseURL: String? {
        get { nil }
        set {}
    }
}

extension Resource.Settings {
    /// A placeholder for the cache without its module, so that the message is the same for each of its forms.
    public struct CacheGuess: Sendable {
        /// Another module's.
        @available(*, unavailable, message: "the cache is in the product CumulusCache: `import CumulusCache`")
        public static func memory(megabytes: Int = 0) -> CacheGuess? { nil }

        /// Another module's.
        @available(*, unavailable, message: "the cache is in the product CumulusCache: `import CumulusCache`")
        public static func disk(_ folder: String = "", megabytes: Int = 0) -> CacheGuess? { nil }
    }
}

extension RedirectPolicy {
    /// A name of other libraries.
    @available(*, unavailable, message: "no redirect is followed with `.none`")
    public static var never: RedirectPolicy { .none }
}

extension RetryPolicy {
    /// A name of other libraries.
    @available(
        *,
        unavailable,
        message: "waits double by default; write `RetryPolicy(limit: 3)`, and `backoff` for other steps"
    )
    public static var exponential: RetryPolicy { .default }

    /// A name of other libraries.
    @available(*, unavailable, message: "the number of retries is `limit`")
    public var maxAttempts: Int {
        get { 0 }
        set {}
    }
}

extension RetryChoice {
    /// A name of other libraries.
    @available(*, unavailable, message: "send it again with `.again()`")
    public static var retry: RetryChoice { .proposed }

    /// A name of other libraries.
    @available(*, unavailable, message: "end the call with `.stop`")
    public static var doNotRetry: RetryChoice { .proposed }
}

extension RateLimit {
    /// A name of other libraries.
    @available(*, unavailable, message: "write `.requests(10, per: .seconds(1))`")
    public static func perSecond(_ count: Int) -> RateLimit { .requests(count, per: .seconds(1)) }
}
