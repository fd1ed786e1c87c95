// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The rules for retries; see ``RetryPolicy``.
    ///
    /// Interrupted downloads and long bodies are resumed with the same limit and backoff (``resumes``). Default:
    /// ``RetryPolicy/default``, with two retries; `nil` and ``RetryPolicy/never`` turn retries off. The nearest layer
    /// wins.
    public var retry: RetryPolicy? {
        get { self[key: RetryKey.self] }
        set { self[key: RetryKey.self] = newValue }
    }

    /// Whether the remaining bytes of an interrupted body are requested: in memory, in a stream, and in a download.
    ///
    /// A body in memory or in a stream is resumed if all of these conditions hold: it is the body of a 200 response to
    /// a GET without `Range`, it has a known length of 64 KiB or more and a strong `ETag`, no interceptor replaces it,
    /// and no authorizer checks it. The remaining bytes are used only if they belong to the same version, so no byte is
    /// lost or repeated. The policy's ``RetryPolicy/limit`` and ``RetryPolicy/maxTime`` apply to the whole body.
    ///
    /// If it is false, streams and downloads end with the error, and a body in memory is requested again as a whole.
    /// Default: true. The nearest layer wins.
    public var resumes: Bool {
        get { self[key: ResumesKey.self] }
        set { self[key: ResumesKey.self] = newValue }
    }

    /// The rule that adds an `Idempotency-Key` to each POST and PATCH.
    ///
    /// A server that supports it carries out a repeated request once.
    ///
    /// A request with a key may be retried (``RetryPolicy``), so set this only if the server documents it. A key in the
    /// headers takes precedence: `site["orders"].post(order, headers: ["Idempotency-Key": id])`. Default: `nil`, which
    /// adds no keys. The nearest layer wins.
    public var idempotencyKey: IdempotencyKey? {
        get { self[key: IdempotencyKeyKey.self] }
        set { self[key: IdempotencyKeyKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/retry``.
enum RetryKey: UncomparedSettingKey {
    /// Two retries.
    static var defaultValue: RetryPolicy? { .default }

    /// It changes no request, so it can't reveal anything to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Resource/Settings/resumes``.
enum ResumesKey: HarmlessSettingKey {
    /// True.
    static var defaultValue: Bool { true }
}

/// The key of ``Resource/Settings/idempotencyKey``.
enum IdempotencyKeyKey: SettingKey {
    /// No keys.
    static var defaultValue: IdempotencyKey? { nil }
}
