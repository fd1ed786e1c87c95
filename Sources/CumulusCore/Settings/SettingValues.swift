// SPDX-License-Identifier: Apache-2.0

/// The effective values of the keys that at least one layer sets.
struct SettingValues: Sendable {
    private var stored: [ObjectIdentifier: any LayeredValue] = [:]

    /// The values that a response may depend on, by their keys.
    var ofAnswer: [ObjectIdentifier: any LayeredValue] { stored.filter { $0.value.affectsAnswer } }
    /// Whether any value holds code that may make a request wait.
    var mayWait: Bool { stored.contains { $0.value.mayWait } }

    func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
        guard let setting = stored[ObjectIdentifier(key)] as? LayeredSetting<Key> else { return Key.defaultValue }
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
        values.stored = stored.compactMapValues(\.crossing)
        return values
    }
}
