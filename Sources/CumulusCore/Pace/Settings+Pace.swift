// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// When requests may start, on the resource that sets it and all its descendants together.
    ///
    /// The others wait, first come, first served, in a separate line for each origin, and occupy neither a connection
    /// nor a slot of ``maxConcurrentRequests``. The wait ends with `CancellationError` if they are cancelled; one that
    /// would outlast ``deadline`` fails immediately. A layer below that sets its own pace has its own line. It is
    /// independent of ``rateLimit``, which counts bytes. Default: none. The nearest layer wins.
    public var pace: RequestPace? {
        get { self[PaceKey.self] }
        set { self[PaceKey.self] = newValue }
    }

    /// Whether the server's quota is tracked, for ``Resource/quota``.
    ///
    /// All resources below share it. If ``pace`` is set, here or above, the quota is tracked anyway. Default: `false`.
    /// The nearest layer wins.
    public var tracksQuota: Bool {
        get { self[TracksQuotaKey.self] }
        set { self[TracksQuotaKey.self] = newValue }
    }
}

/// The key of ``Settings/pace``.
enum PaceKey: SettingKey {
    /// None.
    static var defaultValue: RequestPace? { nil }

    /// It reveals nothing to another origin, and each origin is counted separately.
    static var crossesOrigins: Bool { true }

    /// The time of a request is not part of the answer.
    static var affectsAnswer: Bool { false }
}

/// The key of ``Settings/tracksQuota``.
enum TracksQuotaKey: HarmlessSettingKey {
    /// False.
    static var defaultValue: Bool { false }

    /// The tracked quota is not part of the answer.
    static var affectsAnswer: Bool { false }
}
