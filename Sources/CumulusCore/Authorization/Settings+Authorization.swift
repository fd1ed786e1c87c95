// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The authorizers, a child's before its parent's; the first to set `Authorization` wins.
    ///
    /// Each is bound to the origin of the resource on which it is set. Default: none.
    public var authorizers: SettingList<BoundAuthorizer> {
        get { self[key: AuthorizersKey.self] }
        set { self[key: AuthorizersKey.self] = newValue.mapped { $0.bound(to: context.origin) } }
    }

    /// How often the authorizers of a call may answer a refusal by having the request sent again.
    ///
    /// Default: 3; with 0 no authorizer is asked. The nearest layer wins.
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
    /// None.
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
    /// Of the shared ones, those that serve another origin and those on the way: what a link to it takes along.
    func crossing(to origin: Origin?, through origins: Set<Origin>) -> SettingList {
        guard let origin else { return [] }
        return filtered { authorizer in
            !authorizer.sharedOrigins.isEmpty && authorizer.serves(origin) && origins.allSatisfy(authorizer.serves)
        }
    }
}
