// SPDX-License-Identifier: Apache-2.0

/// All settings of a place at one moment, resolved: what a request works on from its start to its end.
@dynamicMemberLookup
public final class SettingsSnapshot: Sendable {
    /// The effective values of the keys that some layer sets.
    struct Values: Sendable {
        fileprivate var stored: [ObjectIdentifier: any LayeredValue] = [:]

        func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
            guard let setting = stored[ObjectIdentifier(key)] as? LayeredSetting<Key> else { return Key.defaultValue }
            return setting.value
        }
    }

    let values: Values
    /// The stages with the settings that each needs, made once for all requests that share this snapshot.
    let pipeline: RequestPipeline

    /// The defaults: no layer says anything.
    init(transport: any Transport) {
        values = Values()
        pipeline = RequestPipeline(transport: transport, settings: values)
    }

    /// A layer over what it inherits.
    init(_ layer: SettingsLayer, over inherited: SettingsSnapshot) {
        var values = inherited.values
        for (key, entry) in layer.entries {
            values.stored[key] = entry.value.combined(over: inherited.values.stored[key])
        }
        self.values = values
        pipeline = RequestPipeline(transport: inherited.pipeline.transport, settings: values)
    }

    private init(values: Values, transport: any Transport) {
        self.values = values
        pipeline = RequestPipeline(transport: transport, settings: values)
    }

    private static let keysOfOrigin: Set<ObjectIdentifier> = [
        ObjectIdentifier(HeadersKey.self), ObjectIdentifier(QueryKey.self), ObjectIdentifier(AuthorizersKey.self),
        ObjectIdentifier(PreflightsKey.self), ObjectIdentifier(InterceptorsKey.self),
    ]

    /// Whether a setting is not inherited at another origin, or only in its harmless part.
    static func staysAtOrigin<Key: SettingKey>(_ key: Key.Type) -> Bool { keysOfOrigin.contains(ObjectIdentifier(key)) }

    /// What may be inherited at another origin: header fields that tell nothing, and nothing that can add secrets.
    func crossingOrigins() -> SettingsSnapshot {
        var values = values
        let headers = value(HeadersKey.self).keeping(RedirectPolicy.safeHeaders)
        for key in SettingsSnapshot.keysOfOrigin { values.stored[key] = nil }
        values.stored[ObjectIdentifier(HeadersKey.self)] = LayeredSetting<HeadersKey>(headers)
        return SettingsSnapshot(values: values, transport: pipeline.transport)
    }

    /// The effective value of a setting.
    public func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value { values.value(key) }

    /// The effective value of a setting, by name: `snapshot.timeout`.
    public subscript<Key: SettingKey>(dynamicMember path: KeyPath<SettingKeys, Key.Type>) -> Key.Value {
        values.value(Key.self)
    }
}
