// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The authorizers, a child's before its parent's; the first to set `Authorization` wins.
    ///
    /// Each is bound to the origin of the resource on which it is set. Default: none.
    public var authorizers: SettingList<BoundAuthorizer> {
        get { self[key: AuthorizersKey.self] }
        set { self[key: AuthorizersKey.self] = newValue.mapped { $0.bound(to: context.origin) } }
    }

    /// The maximum number of times that the authorizers of a call may respond to a refusal by sending the request
    /// again.
    ///
    /// Default: 3; with 0, no authorizer is called. The nearest layer wins.
    public var maxAuthAttempts: Int {
        get { self[key: MaxAuthAttemptsKey.self] }
        set { self[key: MaxAuthAttemptsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/maxAuthAttempts``.
enum MaxAuthAttemptsKey: HarmlessSettingKey {
    /// 3.
    static var defaultValue: Int { 3 }
}

/// The key of ``Resource/Settings/authorizers``.
enum AuthorizersKey: SettingKey {
    /// No authorizers.
    static var defaultValue: SettingList<BoundAuthorizer> { [] }

    /// A child's authorizers come first.
    static func combine(
        inherited: SettingList<BoundAuthorizer>,
        own: SettingList<BoundAuthorizer>
    ) -> SettingList<BoundAuthorizer> {
        let hasCredentials = own.contains { $0.masksCredentials || $0.credentials != nil }
        let kept = hasCredentials ? inherited.filtered { $0.credentials == nil } : inherited
        let level = (inherited.first?.level ?? 0) + 1
        let nearest = own.filtered { !$0.masksCredentials }.mapped { authorizer in
            var authorizer = authorizer
            authorizer.level = level
            return authorizer
        }
        return kept.combined(with: nearest, ownFirst: true)
    }

    /// Their kinds and origins.
    static func describe(_ value: SettingList<BoundAuthorizer>) -> String {
        "[\(value.map(\.description).joined(separator: ", "))]"
    }
}

extension SettingList where Element == BoundAuthorizer {
    /// The shared authorizers that a link to another origin keeps: those that serve that origin and all origins on the
    /// way.
    func crossing(to origin: Origin?, through origins: Set<Origin>) -> SettingList {
        guard let origin else { return [] }
        return filtered { authorizer in
            !authorizer.sharedOrigins.isEmpty && authorizer.serves(origin) && origins.allSatisfy(authorizer.serves)
        }
    }
}

extension Resource.Settings {
    /// The user and password for Basic authentication, inherited by children; shorthand for an authorizer.
    ///
    /// They are bound to the origin of the resource on which they are set. `nil` masks inherited ones;
    /// `inherit(\.authorizers)` restores them.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { write { [context, source] in $0.write(newValue, in: context, source: source) } }
    }
}

extension SettingsLayer {
    /// Replaces the credentials of this layer; its other authorizers stay.
    fileprivate mutating func write(_ credentials: Credentials?, in context: LayerContext, source: SettingSource?) {
        let own = self.own(AuthorizersKey.self) ?? []
        var kept = own.filter { $0.credentials == nil && !$0.masksCredentials }
        let new = credentials.map(BoundAuthorizer.credentials) ?? .credentialsMask
        kept.insert(new.bound(to: context.origin), at: 0)
        let list = own.cutsOffInherited ? SettingList.replacing(kept) : SettingList(kept)
        write(list, for: AuthorizersKey.self, in: context, source: source)
    }
}
