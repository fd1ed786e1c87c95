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

    private let values: Values
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

    /// What may be inherited at another origin: no query, and only header fields that tell nothing.
    ///
    /// Authorizers stay, since each is bound to its own origin.
    func crossingOrigins() -> SettingsSnapshot {
        var values = values
        let headers = value(HeadersKey.self).keeping(RedirectPolicy.safeHeaders)
        values.stored[ObjectIdentifier(HeadersKey.self)] = LayeredSetting<HeadersKey>(headers)
        values.stored[ObjectIdentifier(QueryKey.self)] = nil
        return SettingsSnapshot(values: values, transport: pipeline.transport)
    }

    /// The effective value of a setting.
    public func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value { values.value(key) }

    /// The effective value of a setting, by name: `snapshot.timeout`.
    public subscript<Key: SettingKey>(dynamicMember path: KeyPath<SettingKeys, Key.Type>) -> Key.Value {
        values.value(Key.self)
    }
}
