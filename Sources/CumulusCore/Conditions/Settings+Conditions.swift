// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// Whether entity tags and dates of responses are remembered, so that a GET or HEAD that returns the ``Response``
    /// receives 304 if nothing changed, and ``Conditions/ifUnchanged`` has a revision to compare.
    ///
    /// A call for a value, or only for success, is sent without a condition unless it sets one itself, so it always
    /// receives the value. Revisions are kept for each URL, method, `Accept`, `Accept-Language` and identity
    /// (``StoreContext/partition``); all resources of a tree share them, up to 1,000 URLs. Each is remembered once
    /// its body has been delivered completely, to memory, a reader or a file. Store the bodies yourself, since a 304
    /// has no body (``Response/isNotModified``). Default: false. The nearest layer wins.
    public var tracksRevisions: Bool {
        get { self[key: TracksRevisionsKey.self] }
        set { self[key: TracksRevisionsKey.self] = newValue }
    }

    /// The conditions of requests.
    ///
    /// Default: none. The nearest layer wins; a header field of the same name takes precedence.
    public var conditions: Conditions {
        get { self[key: ConditionsKey.self] }
        set { self[key: ConditionsKey.self] = newValue }
    }

    /// The cached responses that are acceptable.
    ///
    /// Default: HTTP's default. The nearest layer wins; a `Cache-Control` among the headers takes precedence.
    public var cachePolicy: CachePolicy {
        get { self[key: CachePolicyKey.self] }
        set { self[key: CachePolicyKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/tracksRevisions``.
enum TracksRevisionsKey: HarmlessSettingKey {
    /// False.
    static var defaultValue: Bool { false }
}

/// The key of ``Resource/Settings/conditions``.
enum ConditionsKey: SettingKey {
    /// None.
    static var defaultValue: Conditions { .none }
}

/// The key of ``Resource/Settings/cachePolicy``.
enum CachePolicyKey: HarmlessSettingKey {
    /// HTTP's rules.
    static var defaultValue: CachePolicy { .useProtocol }
}

extension Resource {
    /// Forgets the revisions of this resource and of those below it.
    public func forgetRevisions() {
        guard let address = try? place.address.get() else { return }
        tree.revisions.forget(below: address.path, at: address.origin)
    }
}
