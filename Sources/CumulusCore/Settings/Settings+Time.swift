// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// How long the peer may be silent in each attempt, sending neither a response head nor a byte of a body.
    ///
    /// A head that arrives slowly, or informational responses, don't extend the wait for the head, unless
    /// ``Timeouts/response`` is set. Default: 60 seconds; `nil` means no limit. The nearest layer wins.
    public var timeout: Duration? {
        get { self[TimeoutKey.self] }
        set { self[TimeoutKey.self] = newValue }
    }

    /// How long the whole call may take, including its redirects and waits.
    ///
    /// Default: none. The strictest layer wins, so a child can't outlast its parent.
    public var deadline: Duration? {
        get { self[DeadlineKey.self] }
        set { self[DeadlineKey.self] = newValue }
    }

    /// Limits of single phases: connecting, waiting for a connection, waiting for the response's head, and the minimum
    /// rate.
    ///
    /// Default: 10 and 30 seconds. The nearest layer wins, field by field: `timeouts.connect = .seconds(1)` leaves the
    /// other inherited.
    public var timeouts: Timeouts {
        get { self[TimeoutsKey.self] }
        set { self[TimeoutsKey.self] = newValue }
    }

    /// How long to wait for the server's permission to send a body (`Expect: 100-continue`, RFC 9110 section 10.1.1).
    ///
    /// If the server refuses, the body is not sent. If it is silent for this long, the body is sent anyway, and after a
    /// 417 the request is sent again without the field. Default: `nil`, bodies are sent at once. The nearest layer
    /// wins. Only over HTTP/1.1 and CumulusNIO; elsewhere it does nothing.
    public var expectsContinue: Duration? {
        get { self[ExpectsContinueKey.self] }
        set { self[ExpectsContinueKey.self] = newValue }
    }

    /// The clock for requests; tests use a manual clock.
    ///
    /// Default: the system's continuous clock. The nearest layer wins.
    public var clock: any RequestClock {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }
}

/// The key of ``Settings/timeout``.
enum TimeoutKey: SettingKey {
    /// 60 seconds.
    static var defaultValue: Duration? { .seconds(60) }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/deadline``.
enum DeadlineKey: SettingKey {
    /// None.
    static var defaultValue: Duration? { nil }

    /// The stricter of the two.
    static func combine(inherited: Duration?, own: Duration?) -> Duration? {
        guard let inherited, let own else { return inherited ?? own }
        return min(inherited, own)
    }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/timeouts``.
enum TimeoutsKey: SettingKey {
    /// 10 seconds to connect, 30 to wait for a connection.
    static var defaultValue: Timeouts { Timeouts() }

    /// The nearer value of each field.
    static func combine(inherited: Timeouts, own: Timeouts) -> Timeouts {
        Timeouts.combine(inherited: inherited, own: own)
    }

    /// The changed fields, or all fields of a value made by an initializer.
    static func write(_ value: Timeouts, onto own: Timeouts?, in layer: LayerContext) -> Timeouts {
        value.written(onto: own, in: layer)
    }

    /// All fields.
    static func read(_ value: Timeouts, in layer: LayerContext) -> Timeouts { value.readFromLayer(layer) }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/expectsContinue``.
enum ExpectsContinueKey: SettingKey {
    /// Bodies are sent immediately after their heads.
    static var defaultValue: Duration? { nil }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/clock``.
enum ClockKey: SettingKey {
    /// The system's clock.
    static var defaultValue: any RequestClock { SystemClock() }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}
