// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// When requests may begin on the resource that sets it and below, all of its descendants together.
    ///
    /// The others wait, first come, first served, in a separate line for each origin, and hold neither a connection nor
    /// a slot of ``maxConcurrentRequests``. The wait ends with `CancellationError` when they are cancelled; one that
    /// would outlast ``deadline`` fails at once. A layer below that sets its own has its own line. Not to be confused
    /// with ``rateLimit``, which counts bytes. Default: none. The nearest layer wins.
    public var pace: RequestPace? {
        get { self[PaceKey.self] }
        set { self[PaceKey.self] = newValue }
    }

    /// Whether the server's quota is tracked, for ``Resource/quota``.
    ///
    /// All resources below share it. Where ``pace`` is set, at the same place or above, it is kept as well.
    /// Default: `false`. The nearest layer wins.
    public var tracksQuota: Bool {
        get { self[TracksQuotaKey.self] }
        set { self[TracksQuotaKey.self] = newValue }
    }
}

/// The key of ``Settings/pace``.
enum PaceKey: SettingKey {
    /// None.
    static var defaultValue: RequestPace? { nil }

    /// It tells another origin nothing, and counts each by itself.
    static var crossesOrigins: Bool { true }

    /// When a request goes out is not part of the answer.
    static var affectsAnswer: Bool { false }
}

/// The key of ``Settings/tracksQuota``.
enum TracksQuotaKey: SettingKey {
    /// It isn't.
    static var defaultValue: Bool { false }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// What is remembered of an answer is not part of it.
    static var affectsAnswer: Bool { false }
}
