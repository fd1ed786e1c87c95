// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// Which failed requests are sent again; see ``RetryPolicy``.
    ///
    /// Downloads and long bodies that break off are resumed with the same limit and backoff (``resumes``). Default:
    /// ``RetryPolicy/default``, two retries; `nil` and ``RetryPolicy/never`` turn retries off. The nearest layer wins.
    public var retry: RetryPolicy? {
        get { self[key: RetryKey.self] }
        set { self[key: RetryKey.self] = newValue }
    }

    /// Whether the rest of a body that broke off is requested: in memory, in a stream, and in a download.
    ///
    /// A body in memory or in a stream is resumed if it answers a GET without `Range` with 200, has a known length of
    /// 64 KiB or more and a strong `ETag`, and if neither an interceptor replaces it nor an authorizer checks it. What the
    /// server sends is then the same version, or it isn't used: not a byte is lost or doubled. The policy's
    /// ``RetryPolicy/limit`` and ``RetryPolicy/maxTime`` count for all of the body.
    ///
    /// Without it, streams and downloads end with the error, and what goes into memory is requested again as a whole.
    /// Default: true. The nearest layer wins.
    public var resumes: Bool {
        get { self[key: ResumesKey.self] }
        set { self[key: ResumesKey.self] = newValue }
    }

    /// Gives each POST and PATCH an `Idempotency-Key`; a server that supports it carries out a repeated request once.
    ///
    /// A request with a key may be retried (``RetryPolicy``), so set this only if the server documents it. A key in the
    /// headers takes precedence: `site["orders"].post(order, headers: ["Idempotency-Key": id])`. Default: `nil`, no
    /// keys. The nearest layer wins.
    public var idempotencyKey: IdempotencyKey? {
        get { self[key: IdempotencyKeyKey.self] }
        set { self[key: IdempotencyKeyKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/retry``.
enum RetryKey: UncomparedSettingKey {
    /// Two retries.
    static var defaultValue: RetryPolicy? { .default }

    /// It changes no request, so it can reveal nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Resource/Settings/resumes``.
enum ResumesKey: HarmlessSettingKey {
    /// Yes.
    static var defaultValue: Bool { true }
}

/// The key of ``Resource/Settings/idempotencyKey``.
enum IdempotencyKeyKey: SettingKey {
    /// None.
    static var defaultValue: IdempotencyKey? { nil }
}
