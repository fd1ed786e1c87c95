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
        (entries[ObjectIdentifier(key)]?.value as? LayeredSetting<Key.Value>)?.value
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
            isNothing ? nil : Entry(value: LayeredSetting(written, of: key), source: source)
    }

    mutating func inherit<Key: SettingKey>(_ key: Key.Type) { entries[ObjectIdentifier(key)] = nil }
}

/// A change of one setting that a closure made, to be repeated on the layer that is current when it has ended.
typealias SettingWrite = @Sendable (inout SettingsLayer) -> Void

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
///
/// It is generic over the value and not over the key: for each type with a constrained parameter, the runtime searches
/// the conformances of the whole program, which a program's first request would wait for.
final class LayeredSetting<Value: Sendable>: LayeredValue {
    let value: Value
    let key: any SettingKey.Type
    private let combine: @Sendable (_ inherited: Value?, _ own: Value) -> Value

    init<Key: SettingKey>(_ value: Value, of key: Key.Type) where Key.Value == Value {
        (self.value, self.key) = (value, key)
        combine = { inherited, own in Key.combine(inherited: inherited ?? Key.defaultValue, own: own) }
    }

    private init(_ value: Value, like other: LayeredSetting) {
        (self.value, key, combine) = (value, other.key, other.combine)
    }

    func combined(over inherited: (any LayeredValue)?) -> any LayeredValue {
        LayeredSetting(combine((inherited as? LayeredSetting)?.value, value), like: self)
    }

    var crossesOrigins: Bool { key.crossesOrigins }
    var affectsResponse: Bool { !(key is any UncomparedSettingKey.Type) }
}
