// SPDX-License-Identifier: Apache-2.0

extension SettingKeys {
    /// The authorizers, a child's before its parent's; the first to set `Authorization` wins.
    ///
    /// Each is bound to the origin of the resource on which it is set. Default: none.
    public var authorizers: AuthorizersKey.Type { AuthorizersKey.self }
}

/// The key of ``SettingKeys/authorizers``.
public enum AuthorizersKey: SettingKey {
    /// None.
    public static var defaultValue: SettingList<BoundAuthorizer> { [] }

    /// The child's come first.
    public static func combine(
        inherited: SettingList<BoundAuthorizer>,
        own: SettingList<BoundAuthorizer>
    ) -> SettingList<BoundAuthorizer> { inherited.combined(with: own, ownFirst: true) }

    /// Each is bound to the origin of the place it is set on.
    public static func write(
        _ value: SettingList<BoundAuthorizer>,
        onto own: SettingList<BoundAuthorizer>?,
        at origin: Origin?
    ) -> SettingList<BoundAuthorizer> { value.written(onto: own).mapped { $0.bound(to: origin) } }

    /// All of them.
    public static func read(_ value: SettingList<BoundAuthorizer>) -> SettingList<BoundAuthorizer> {
        value.readFromLayer()
    }

    /// Their kinds and origins.
    public static func describe(_ value: SettingList<BoundAuthorizer>) -> String {
        "[\(value.map(\.description).joined(separator: ", "))]"
    }
}

extension SettingsEditor {
    /// User and password for Basic authentication; shorthand for an authorizer.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { setCredentials(newValue) }
    }

    mutating func setCredentials(_ credentials: Credentials?) {
        let own = layer.own(AuthorizersKey.self) ?? []
        var kept = own.filter { $0.credentials == nil }
        if let credentials { kept.insert(.credentials(credentials), at: 0) }
        self.authorizers = own.cutsOffInherited ? .replacing(kept) : SettingList(kept)
    }
}

extension Resource {
    /// User and password for Basic authentication, inherited by children; shorthand for an authorizer.
    ///
    /// Bound to this resource's origin. `nil` forgets what was set here; inherited ones show again.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { configure { $0.credentials = newValue } }
    }
}
