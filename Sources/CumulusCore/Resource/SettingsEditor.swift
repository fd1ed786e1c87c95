// SPDX-License-Identifier: Apache-2.0

/// Several settings changed together: what `configure` and `with` hand to their closures.
///
/// Reading gives the effective value, writing changes the layer being edited.
@dynamicMemberLookup
public struct SettingsEditor: Sendable {
    private let inherited: SettingValues
    private let context: LayerContext
    private let source: SourceLocation?
    private let owner: EditorIdentity
    private(set) var layer: SettingsLayer

    init(_ layer: SettingsLayer, over inherited: SettingsSnapshot, at place: Place, source: SourceLocation?) {
        self.layer = layer
        self.inherited = inherited.values
        // An object of its own tells this editor's views from those of any resource.
        self.owner = EditorIdentity()
        self.context = LayerContext(place, owner: owner)
        self.source = source
    }

    /// A setting, by name.
    public subscript<Key: SettingKey>(
        dynamicMember path: KeyPath<SettingKeys, Key.Type>
    ) -> Key.Value {
        get { Key.read(effective(Key.self), in: context) }
        set { layer.write(newValue, for: Key.self, in: context, source: source) }
    }

    /// Forgets the layer's own value of a setting, so that the inherited one shows again.
    public mutating func inherit<Key: SettingKey>(_ path: KeyPath<SettingKeys, Key.Type>) { layer.inherit(Key.self) }

    private func effective<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
        guard let own = layer.own(key) else { return inherited.value(key) }
        return Key.combine(inherited: inherited.value(key), own: own)
    }
}

/// Stands for one editor.
private final class EditorIdentity: Sendable {}
