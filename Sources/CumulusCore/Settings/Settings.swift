// SPDX-License-Identifier: Apache-2.0

/// The settings of one place in a tree, by name.
///
/// `resource.timeout` reads and writes ``timeout`` of the resource's own settings;
/// ``Resource/configure(fileID:line:_:)`` and ``Resource/with(fileID:line:_:)`` pass a value of this type to their
/// closures. Reading gives the effective value: this layer's own, or the inherited one. Writing changes this layer
/// only.
///
/// To add your own setting, declare a ``SettingKey`` and a property here:
///
/// ```swift
/// extension Settings {
///     var region: String {
///         get { self[RegionKey.self] }
///         set { self[RegionKey.self] = newValue }
///     }
/// }
/// ```
///
/// `resource.region`, `inherit(\.region)` and `explain(\.region)` then work as they do for the settings that come with
/// Cumulus.
public struct Settings: Sendable {
    private let inherited: SettingValues
    private(set) var layer: SettingsLayer
    private let context: LayerContext
    private let source: SettingSource?
    /// Lives as long as the views of the layer, so that its identity distinguishes them from those of other layers.
    private let owner: any AnyObject & Sendable
    private let recorder: KeyRecorder?

    /// Makes settings from a layer over the inherited values.
    init(
        _ layer: SettingsLayer,
        over inherited: SettingValues,
        in context: (any AnyObject & Sendable) -> LayerContext,
        owner: (any AnyObject & Sendable)? = nil,
        source: SettingSource? = nil
    ) {
        let owner = owner ?? LayerIdentity()
        recorder = owner as? KeyRecorder
        self.layer = layer
        self.inherited = inherited
        self.context = context(owner)
        self.source = source
        self.owner = owner
    }

    /// The value of a key: what the property of a setting reads and writes.
    public subscript<Key: SettingKey>(key: Key.Type) -> Key.Value {
        get {
            recorder?.note(key)
            return Key.read(effective(key), in: context)
        }
        set { layer.write(newValue, for: key, in: context, source: source) }
    }

    /// Removes the layer's own value of a setting, so that it inherits again.
    public mutating func inherit<Value>(_ setting: WritableKeyPath<Settings, Value>) {
        for key in Settings.keys(of: setting) { layer.inherit(key) }
    }

    /// This layer's own value for a key; `nil` if it inherits.
    func own<Key: SettingKey>(_ key: Key.Type) -> Key.Value? { layer.own(key) }

    /// The keys that a property reads: one, except for shorthands of several.
    static func keys<Value>(of setting: WritableKeyPath<Settings, Value>) -> [any SettingKey.Type] {
        let recorder = KeyRecorder()
        let probe = Settings(
            SettingsLayer(),
            over: SettingValues(),
            in: { _ in LayerContext(origin: nil) },
            owner: recorder
        )
        _ = probe[keyPath: setting]
        return recorder.keys
    }

    private func effective<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
        guard let own = layer.own(key) else { return inherited.value(key) }
        return Key.combine(inherited: inherited.value(key), own: own)
    }
}

/// Identifies a layer that no resource owns.
private final class LayerIdentity: Sendable {}
