// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// All settings of a place at one moment, resolved: what a request works on from its start to its end.
final class SettingsSnapshot: Sendable {
    let values: SettingValues
    let context: TreeContext
    /// Where its requests wait, if anything limits them.
    let gate: LimitGate?
    private let made = AtomicLazyReference<CallStages>()

    /// The defaults: no layer says anything.
    convenience init(_ context: TreeContext) { self.init(values: SettingValues(), context, gate: nil) }

    /// A layer over what it inherits; `gate` is the layer's own if it limits its requests.
    convenience init(_ layer: SettingsLayer, over inherited: SettingsSnapshot, gate: LimitGate?) {
        let inheritsLimit = layer.own(MaxConcurrentRequestsKey.self) == nil
        self.init(
            values: inherited.values.with(layer),
            inherited.context,
            gate: inheritsLimit ? inherited.gate : gate
        )
    }

    private init(values: SettingValues, _ context: TreeContext, gate: LimitGate?) {
        self.values = values
        self.context = context
        self.gate = gate
    }

    /// What is inherited at another origin.
    func crossingOrigins() -> SettingsSnapshot {
        SettingsSnapshot(values: values.crossingOrigins, context, gate: gate)
    }

    /// The stages of requests with these settings: made by the first request, for all that share this snapshot.
    func stages(_ make: () -> CallStages) -> CallStages { made.load() ?? made.storeIfNil(make()) }

    /// The effective value of a setting.
    func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value { values.value(key) }
}
