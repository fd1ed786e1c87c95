// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The effective values of the keys that at least one layer sets.
struct SettingValues: Sendable {
    /// All values, by their keys.
    var all: [ObjectIdentifier: any LayeredValue] { stored }
    private var stored: [ObjectIdentifier: any LayeredValue] = [:]

    /// The values that a response may depend on, by their keys.
    var ofResponse: [ObjectIdentifier: any LayeredValue] { stored.filter { $0.value.affectsResponse } }

    /// The keys that at least one layer sets, in no order.
    var keys: some Collection<any SettingKey.Type> { stored.values.lazy.map(\.key) }

    func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
        guard let setting = stored[ObjectIdentifier(key)] as? LayeredSetting<Key.Value> else { return Key.defaultValue }
        return setting.value
    }

    /// These values with a layer merged over them.
    func with(_ layer: SettingsLayer) -> SettingValues {
        var values = self
        for (key, entry) in layer.entries { values.stored[key] = entry.value.combined(over: stored[key]) }
        return values
    }

    /// The values that are inherited at another origin, as their keys allow.
    var crossingOrigins: SettingValues {
        var values = self
        values.stored = stored.filter(\.value.crossesOrigins)
        return values
    }

    /// These values with another one for a key.
    func setting<Key: SettingKey>(_ key: Key.Type, to value: Key.Value) -> SettingValues {
        var values = self
        values.stored[ObjectIdentifier(key)] = LayeredSetting(value, of: key)
        return values
    }
}

/// Records the keys that a property of ``Resource/Settings`` reads, to find the keys of a key path.
final class KeyRecorder: Sendable {
    private let noted = Mutex<[any SettingKey.Type]>([])

    var keys: [any SettingKey.Type] { noted.withLock(\.self) }

    func note(_ key: any SettingKey.Type) {
        noted.withLock { keys in if !keys.contains(where: { $0 == key }) { keys.append(key) } }
    }
}
