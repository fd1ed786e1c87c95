// SPDX-License-Identifier: Apache-2.0

/// All settings of a place at one moment, resolved: what a request works on from its start to its end.
@dynamicMemberLookup
public final class SettingsSnapshot: Sendable {
    /// The effective values of the keys that some layer sets.
    struct Values: Sendable {
        fileprivate var stored: [ObjectIdentifier: any LayeredValue] = [:]

        /// The values by their keys.
        var entries: [ObjectIdentifier: any LayeredValue] { stored }

        func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
            guard let setting = stored[ObjectIdentifier(key)] as? LayeredSetting<Key> else { return Key.defaultValue }
            return setting.value
        }
    }

    let values: Values
    /// The stages with the settings that each needs, made once for all requests that share this snapshot.
    let pipeline: RequestPipeline

    /// The defaults: no layer says anything.
    convenience init(_ context: TreeContext) { self.init(values: Values(), context, gate: nil) }

    /// A layer over what it inherits; `gate` is the layer's own if it limits its requests.
    convenience init(_ layer: SettingsLayer, over inherited: SettingsSnapshot, gate: LimitGate?) {
        var values = inherited.values
        for (key, entry) in layer.entries {
            values.stored[key] = entry.value.combined(over: inherited.values.stored[key])
        }
        let inheritsLimit = layer.own(MaxConcurrentRequestsKey.self) == nil
        let pipeline = inherited.pipeline
        self.init(values: values, pipeline.context, gate: inheritsLimit ? pipeline.exchange.limit.gate : gate)
    }

    private init(values: Values, _ context: TreeContext, gate: LimitGate?) {
        self.values = values
        pipeline = RequestPipeline(context, settings: values, gate: gate)
    }

    private static let keysOfOrigin: Set<ObjectIdentifier> = [
        ObjectIdentifier(HeadersKey.self), ObjectIdentifier(QueryKey.self), ObjectIdentifier(AuthorizersKey.self),
        ObjectIdentifier(PreflightsKey.self), ObjectIdentifier(InterceptorsKey.self),
        ObjectIdentifier(ChallengeKey.self),
    ]

    /// Whether a setting is not inherited at another origin, or only in its harmless part.
    static func staysAtOrigin<Key: SettingKey>(_ key: Key.Type) -> Bool { keysOfOrigin.contains(ObjectIdentifier(key)) }

    /// What may be inherited at another origin: header fields that tell nothing, and nothing that can add secrets.
    func crossingOrigins() -> SettingsSnapshot {
        var values = values
        let headers = value(HeadersKey.self).keeping(RedirectPolicy.safeHeaders)
        for key in SettingsSnapshot.keysOfOrigin { values.stored[key] = nil }
        values.stored[ObjectIdentifier(HeadersKey.self)] = LayeredSetting<HeadersKey>(headers)
        return SettingsSnapshot(values: values, pipeline.context, gate: pipeline.exchange.limit.gate)
    }

    /// The effective value of a setting.
    public func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value { values.value(key) }

    /// The effective value of a setting, by name: `snapshot.timeout`.
    public subscript<Key: SettingKey>(dynamicMember path: KeyPath<SettingKeys, Key.Type>) -> Key.Value {
        values.value(Key.self)
    }
}
