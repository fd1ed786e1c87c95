// SPDX-License-Identifier: Apache-2.0

extension Resource.Rules {
    /// When requests may start, at this place and below it, all together.
    ///
    /// The others wait, first come, first served, in a separate line for each origin, and occupy neither a connection
    /// nor a slot of ``maxConcurrentRequests``. The wait ends with `CancellationError` if they are cancelled; one that
    /// would outlast ``Settings/deadline`` fails immediately. A place below that has its own pace has its own line. It is
    /// independent of ``Settings/rateLimit``, which counts bytes. Default: none. The nearest place wins.
    public var pace: RequestPace? {
        get { settings[PaceKey.self] }
        set { settings[PaceKey.self] = newValue }
    }

    /// Whether the server's quota is tracked, for ``Resource/quota``.
    ///
    /// All resources below share it. If ``pace`` is set, here or above, the quota is tracked anyway. Default: `false`.
    /// The nearest place wins.
    public var tracksQuota: Bool {
        get { settings[TracksQuotaKey.self] }
        set { settings[TracksQuotaKey.self] = newValue }
    }
}

extension Settings {
    /// A limit is counted at a place.
    @available(*, unavailable, message: "a limit is counted at a place: write it in `setRules { }`")
    public var pace: RequestPace? {
        get { self[PaceKey.self] }
        set {}
    }

    /// A quota is tracked at a place.
    @available(*, unavailable, message: "a quota is tracked at a place: write it in `setRules { }`")
    public var tracksQuota: Bool {
        get { self[TracksQuotaKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/pace``.
enum PaceKey: SettingKey {
    /// None.
    static var defaultValue: RequestPace? { nil }

    /// It reveals nothing to another origin, and each origin is counted separately.
    static var crossesOrigins: Bool { true }

    /// The time of a request is not part of the answer.
    static var affectsAnswer: Bool { false }
}

/// The key of ``Resource/Rules/tracksQuota``.
enum TracksQuotaKey: HarmlessSettingKey {
    /// False.
    static var defaultValue: Bool { false }

    /// The tracked quota is not part of the answer.
    static var affectsAnswer: Bool { false }
}
