// SPDX-License-Identifier: Apache-2.0

extension SettingsEditor {
    /// User and password for Basic authentication; shorthand for an authorizer.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { setCredentials(newValue) }
    }

    mutating func setCredentials(_ credentials: Credentials?) {
        let own = layer.own(AuthorizersKey.self) ?? []
        var kept = own.filter { $0.credentials == nil && !$0.masksCredentials }
        kept.insert(credentials.map(BoundAuthorizer.credentials) ?? .credentialsMask, at: 0)
        self.authorizers = own.cutsOffInherited ? .replacing(kept) : SettingList(kept)
    }
}

extension Resource {
    /// User and password for Basic authentication, inherited by children; shorthand for an authorizer.
    ///
    /// Bound to this resource's origin. `nil` masks inherited ones; `inherit(\.authorizers)` shows them again.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { configure { $0.credentials = newValue } }
    }
}
