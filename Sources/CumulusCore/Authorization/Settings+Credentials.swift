// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// User and password for Basic authentication, inherited by children; shorthand for an authorizer.
    ///
    /// Bound to the origin of the resource on which it is set. `nil` masks inherited ones; `inherit(\.authorizers)`
    /// shows them again.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { setCredentials(newValue) }
    }

    mutating func setCredentials(_ credentials: Credentials?) {
        let own = own(AuthorizersKey.self) ?? []
        var kept = own.filter { $0.credentials == nil && !$0.masksCredentials }
        kept.insert(credentials.map(BoundAuthorizer.credentials) ?? .credentialsMask, at: 0)
        self.authorizers = own.cutsOffInherited ? .replacing(kept) : SettingList(kept)
    }
}
