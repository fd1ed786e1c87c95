// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// User and password for Basic authentication, inherited by children; shorthand for an authorizer.
    ///
    /// Bound to the origin of the resource on which it is set. `nil` masks inherited ones; `inherit(\.authorizers)`
    /// shows them again.
    public var credentials: Credentials? {
        get { self.authorizers.lazy.compactMap(\.credentials).first }
        set { write(CredentialsWrite(credentials: newValue, context: context, source: source)) }
    }
}

/// Credentials in the place of those that a layer has; its other authorizers stay.
private struct CredentialsWrite: SettingWrite {
    let credentials: Credentials?
    let context: LayerContext
    let source: SettingSource?

    func apply(to layer: inout SettingsLayer) {
        let own = layer.own(AuthorizersKey.self) ?? []
        var kept = own.filter { $0.credentials == nil && !$0.masksCredentials }
        let new = credentials.map(BoundAuthorizer.credentials) ?? .credentialsMask
        kept.insert(new.bound(to: context.origin), at: 0)
        let list = own.cutsOffInherited ? SettingList.replacing(kept) : SettingList(kept)
        layer.write(list, for: AuthorizersKey.self, in: context, source: source)
    }
}
