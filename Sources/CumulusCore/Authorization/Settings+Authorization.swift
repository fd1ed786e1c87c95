// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The authorizers, a child's before its parent's; the first to set `Authorization` wins.
    ///
    /// Each is bound to the origin of the resource on which it is set. Default: none.
    public var authorizers: SettingList<BoundAuthorizer> {
        get { self[AuthorizersKey.self] }
        set { self[AuthorizersKey.self] = newValue }
    }

    /// How often the authorizers of a call may answer a refusal by having the request sent again.
    ///
    /// Default: 3; with 0 no authorizer is asked. The nearest layer wins.
    public var maxAuthAttempts: Int {
        get { self[MaxAuthAttemptsKey.self] }
        set { self[MaxAuthAttemptsKey.self] = newValue }
    }
}

/// The key of ``Settings/maxAuthAttempts``.
enum MaxAuthAttemptsKey: HarmlessSettingKey {
    /// 3.
    static var defaultValue: Int { 3 }
}

/// The key of ``Settings/authorizers``.
enum AuthorizersKey: SettingKey {
    /// None.
    static var defaultValue: SettingList<BoundAuthorizer> { [] }

    /// A child's authorizers come first.
    static func combine(
        inherited: SettingList<BoundAuthorizer>,
        own: SettingList<BoundAuthorizer>
    ) -> SettingList<BoundAuthorizer> {
        let isMasked = own.contains { $0.masksCredentials }
        let kept = isMasked ? inherited.filtered { $0.credentials == nil } : inherited
        return kept.combined(with: own.filtered { !$0.masksCredentials }, ownFirst: true)
    }

    /// Each is bound to the origin of the place it is set on.
    static func write(
        _ value: SettingList<BoundAuthorizer>,
        onto own: SettingList<BoundAuthorizer>?,
        in layer: LayerContext
    ) -> SettingList<BoundAuthorizer> { value.written(onto: own, in: layer).mapped { $0.bound(to: layer.origin) } }

    /// All of them.
    static func read(_ value: SettingList<BoundAuthorizer>, in layer: LayerContext) -> SettingList<
        BoundAuthorizer
    > {
        value.readFromLayer(layer)
    }

    /// Their kinds and origins.
    static func describe(_ value: SettingList<BoundAuthorizer>) -> String {
        "[\(value.map(\.description).joined(separator: ", "))]"
    }

    /// The shared ones; each serves only the origins that it was declared for.
    static func crossing(_ value: SettingList<BoundAuthorizer>) -> SettingList<BoundAuthorizer>? {
        let shared = value.filtered { !$0.sharedOrigins.isEmpty }
        return shared.isEmpty ? nil : shared
    }

    /// True if any authorizer may wait.
    static func mayWait(_ value: SettingList<BoundAuthorizer>) -> Bool {
        value.contains { $0.authorizer.mayWait && !($0.authorizer is any ReadyAuthorizer) }
    }
}
