// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The settings of one place in a tree, by name.
    ///
    /// `resource.timeout` reads ``timeout``; ``Resource/setRules(fileID:line:_:)`` and
    /// ``Resource/with(fileID:line:_:)`` pass a value of this type to their closures, which change it. Reading a
    /// setting returns its effective value: this layer's own, or the inherited one. Writing changes this layer only.
    ///
    /// To add your own setting, declare a ``SettingKey`` and a property here:
    ///
    /// ```swift
    /// enum RegionKey: SettingKey {
    ///     static var defaultValue: String { "eu" }
    /// }
    ///
    /// extension Resource.Settings {
    ///     var region: String {
    ///         get { self[key: RegionKey.self] }
    ///         set { self[key: RegionKey.self] = newValue }
    ///     }
    /// }
    /// ```
    ///
    /// `resource.region`, `setRules { $0.region = "us" }` and `explain(\.region)` then work as they do for the settings
    /// that come with Cumulus.
    public struct Settings: Sendable {
        private let inherited: SettingValues
        private(set) var layer: SettingsLayer
        /// What was written, in order, if it is to be written to a place's rules.
        private(set) var writes: [SettingWrite] = []
        private let recordsWrites: Bool
        let context: LayerContext
        let source: SettingSource?
        private let recorder: KeyRecorder?

        /// Creates settings from a layer over the inherited values.
        init(
            _ layer: SettingsLayer = SettingsLayer(),
            over inherited: SettingValues,
            in context: LayerContext,
            source: SettingSource? = nil,
            recordsWrites: Bool = false,
            recorder: KeyRecorder? = nil
        ) {
            self.layer = layer
            self.inherited = inherited
            self.context = context
            self.source = source
            self.recordsWrites = recordsWrites
            self.recorder = recorder
        }

        /// The value of a key, which a setting's property reads and writes.
        public subscript<Key: SettingKey>(key key: Key.Type) -> Key.Value {
            get {
                recorder?.note(key)
                return Key.read(effective(key), in: context)
            }
            set {
                // Of a list or of fields, only what was added is written again.
                write { [context, source] in $0.write(newValue, for: key, in: context, source: source) }
            }
        }

        mutating func write(_ write: @escaping SettingWrite) {
            write(&layer)
            if recordsWrites { writes.append(write) }
        }

        /// Removes the layer's own value of a setting, so that the inherited value applies again.
        public mutating func inherit<Value>(_ setting: WritableKeyPath<Resource.Settings, Value>) {
            for key in Settings.keys(of: setting) { inherit(key) }
        }

        mutating func inherit<Key: SettingKey>(_ key: Key.Type) {
            write { $0.inherit(key) }
        }

        /// This layer's own value for a key; `nil` if it inherits.
        func own<Key: SettingKey>(_ key: Key.Type) -> Key.Value? { layer.own(key) }

        /// The keys that a property reads: one, except for shorthands of several.
        static func keys<Value>(of setting: WritableKeyPath<Resource.Settings, Value>) -> [any SettingKey.Type] {
            keys { _ = $0[keyPath: setting] }
        }

        /// The keys that a closure reads.
        static func keys(_ read: (Settings) -> Void) -> [any SettingKey.Type] {
            let recorder = KeyRecorder()
            read(Self(over: SettingValues(), in: LayerContext(origin: nil), recorder: recorder))
            return recorder.keys
        }

        private func effective<Key: SettingKey>(_ key: Key.Type) -> Key.Value {
            guard let own = layer.own(key) else { return inherited.value(key) }
            return Key.combine(inherited: inherited.value(key), own: own)
        }
    }
}
