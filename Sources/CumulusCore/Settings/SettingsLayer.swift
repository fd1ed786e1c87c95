// SPDX-License-Identifier: Apache-2.0

/// One layer of settings: the value of each key that is set here, and the line that set it.
struct SettingsLayer: Sendable {
    struct Entry: Sendable {
        let value: any LayeredValue
        let source: SettingSource?
    }

    private(set) var entries: [ObjectIdentifier: Entry] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// This layer's own value for a key; `nil` if it inherits.
    func own<Key: SettingKey>(_ key: Key.Type) -> Key.Value? {
        (entries[ObjectIdentifier(key)]?.value as? LayeredSetting<Key>)?.value
    }

    mutating func write<Key: SettingKey>(
        _ value: Key.Value,
        for key: Key.Type,
        in context: LayerContext,
        source: SettingSource?
    ) {
        let written = Key.written(value, onto: own(key), in: context)
        let isNothing = (written as? any MergedValue)?.addsNothing == true
        entries[ObjectIdentifier(key)] =
            isNothing ? nil : Entry(value: LayeredSetting<Key>(written), source: source)
    }

    mutating func inherit<Key: SettingKey>(_ key: Key.Type) { entries[ObjectIdentifier(key)] = nil }
}

/// A change of one setting that a closure made, to be repeated on the layer that is current when it has ended.
protocol SettingWrite: Sendable {
    func apply(to layer: inout SettingsLayer)
}

/// A value that was written; of a list or of fields, only what was added is written again.
struct ValueWrite<Key: SettingKey>: SettingWrite {
    let value: Key.Value
    let context: LayerContext
    let source: SettingSource?

    func apply(to layer: inout SettingsLayer) { layer.write(value, for: Key.self, in: context, source: source) }
}

/// A setting that inherits again.
struct InheritWrite<Key: SettingKey>: SettingWrite {
    func apply(to layer: inout SettingsLayer) { layer.inherit(Key.self) }
}

/// A setting's value whose type only the key knows.
protocol LayeredValue: AnyObject, Sendable, Recognizable {
    func combined(over inherited: (any LayeredValue)?) -> any LayeredValue

    /// Its key.
    var key: any SettingKey.Type { get }
    /// Whether a link to another origin takes it along.
    var crossesOrigins: Bool { get }
    /// Whether a response may depend on it.
    var affectsResponse: Bool { get }
}

/// A value together with its key, which knows how to combine it.
final class LayeredSetting<Key: SettingKey>: LayeredValue {
    let value: Key.Value

    init(_ value: Key.Value) { self.value = value }

    func combined(over inherited: (any LayeredValue)?) -> any LayeredValue {
        let base = (inherited as? LayeredSetting<Key>)?.value ?? Key.defaultValue
        return LayeredSetting(Key.combine(inherited: base, own: value))
    }

    var key: any SettingKey.Type { Key.self }
    var crossesOrigins: Bool { Key.crossesOrigins }
    var affectsResponse: Bool { !(Key.self is any UncomparedSettingKey.Type) }
}
