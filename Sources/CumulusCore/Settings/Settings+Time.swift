// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The time for which the peer may be silent in each attempt, sending neither a response head nor a byte of a body.
    ///
    /// A head that arrives slowly doesn't extend the wait for the head, unless ``Resource/Settings/responseTimeout`` is
    /// set; informational responses extend it if that setting or ``Resource/Settings/deadline`` limits it. Default: 60
    /// seconds; `nil` means no limit. The nearest layer wins.
    public var timeout: Duration? {
        get { self[key: TimeoutKey.self] }
        set { self[key: TimeoutKey.self] = newValue }
    }

    /// The maximum duration of the whole call, including its redirects and waits.
    ///
    /// Default: none. The strictest layer wins, so a child can't outlast its parent.
    public var deadline: Duration? {
        get { self[key: DeadlineKey.self] }
        set { self[key: DeadlineKey.self] = newValue }
    }

    /// The limit for name lookup, connecting and the TLS handshake together.
    ///
    /// Default: 10 seconds; `nil` means no limit. The nearest layer wins.
    public var connectTimeout: Duration? {
        get { self[key: ConnectTimeoutKey.self] }
        set { self[key: ConnectTimeoutKey.self] = newValue }
    }

    /// The limit for waiting for a connection while the pool is busy.
    ///
    /// Default: 30 seconds; `nil` means no limit. The nearest layer wins.
    public var poolTimeout: Duration? {
        get { self[key: PoolTimeoutKey.self] }
        set { self[key: PoolTimeoutKey.self] = newValue }
    }

    /// The limit from the request's last byte to the whole head of the response, including informational (1xx)
    /// responses.
    ///
    /// Default: `nil`, which uses ``Resource/Settings/timeout``: the head must arrive within that time, and its first
    /// bytes don't extend the wait. Informational responses extend the wait only if this limit or
    /// ``Resource/Settings/deadline`` is set, and only up to that limit. A server that sends `102 Processing` while it
    /// works needs one of the two settings. The nearest layer wins.
    public var responseTimeout: Duration? {
        get { self[key: ResponseTimeoutKey.self] }
        set { self[key: ResponseTimeoutKey.self] = newValue }
    }

    /// The minimum rate at which a body must be transferred.
    ///
    /// Default: `nil`, which means one byte per second over 30 seconds for downloads to files, and no limit otherwise;
    /// ``MinimumRate/none`` also means no limit for downloads. The nearest layer wins.
    public var minimumRate: MinimumRate? {
        get { self[key: MinimumRateKey.self] }
        set { self[key: MinimumRateKey.self] = newValue }
    }

    /// The time to wait for the server's approval to send a body (`Expect: 100-continue`, RFC 9110 section 10.1.1).
    ///
    /// If the server refuses, the body is not sent. If the server is silent for this long, the body is sent anyway.
    /// After a 417, the request is sent again without the field. Default: `nil`, which sends bodies immediately, except
    /// that a request with the header field `Expect: 100-continue` waits for a second. The nearest layer wins. It has
    /// an effect only over HTTP/1.1 with CumulusNIO.
    public var expectsContinue: Duration? {
        get { self[key: ExpectsContinueKey.self] }
        set { self[key: ExpectsContinueKey.self] = newValue }
    }

    /// Unavailable: the clock is set for a place, not for a copy.
    @available(*, unavailable, message: "the clock is set for a place, not for a copy: use `setRules { }`")
    public var clock: any RequestClock {
        get { self[key: ClockKey.self] }
        set {}
    }
}

/// The key of ``Resource/Settings/timeout``.
enum TimeoutKey: HarmlessSettingKey {
    /// 60 seconds.
    static var defaultValue: Duration? { .seconds(60) }
}

/// The key of ``Resource/Settings/deadline``.
enum DeadlineKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: Duration? { nil }

    /// The stricter of the two.
    static func combine(inherited: Duration?, own: Duration?) -> Duration? {
        guard let inherited, let own else { return inherited ?? own }
        return min(inherited, own)
    }
}

/// The key of ``Resource/Settings/connectTimeout``.
enum ConnectTimeoutKey: HarmlessSettingKey {
    /// 10 seconds.
    static var defaultValue: Duration? { .seconds(10) }
}

/// The key of ``Resource/Settings/poolTimeout``.
enum PoolTimeoutKey: HarmlessSettingKey {
    /// 30 seconds.
    static var defaultValue: Duration? { .seconds(30) }
}

/// The key of ``Resource/Settings/responseTimeout``.
enum ResponseTimeoutKey: HarmlessSettingKey {
    /// As ``Resource/Settings/timeout``.
    static var defaultValue: Duration? { nil }
}

/// The key of ``Resource/Settings/minimumRate``.
enum MinimumRateKey: HarmlessSettingKey {
    /// A byte a second for downloads.
    static var defaultValue: MinimumRate? { nil }
}

/// The key of ``Resource/Settings/expectsContinue``.
enum ExpectsContinueKey: HarmlessSettingKey {
    /// Bodies are sent immediately after their heads.
    static var defaultValue: Duration? { nil }
}

/// The key of ``Resource/Rules/clock``.
enum ClockKey: HarmlessSettingKey {
    /// The system's clock.
    static var defaultValue: any RequestClock { SystemClock() }
}
