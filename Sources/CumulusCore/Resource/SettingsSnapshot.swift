// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// All settings of a place at one moment, resolved: what a request works on from its start to its end.
final class SettingsSnapshot: Sendable {
    let values: SettingValues
    let context: TreeContext
    /// Where its requests wait, if anything limits or paces them.
    let gates: Gates
    private let made = AtomicLazyReference<CallStages>()

    /// Where requests wait; `nil` if they don't.
    struct Gates: Sendable {
        var limit: LimitGate?
        var pace: PaceGate?
    }

    /// The defaults: no layer says anything.
    convenience init(_ context: TreeContext) { self.init(values: SettingValues(), context, Gates()) }

    /// A layer over what it inherits; `own` are the layer's gates if it limits or paces its requests.
    convenience init(_ layer: SettingsLayer, over inherited: SettingsSnapshot, own: Gates) {
        var gates = inherited.gates
        if layer.limitsRequests { gates.limit = own.limit }
        if layer.pacesRequests(over: inherited) { gates.pace = own.pace }
        self.init(values: inherited.values.with(layer), inherited.context, gates)
    }

    private init(values: SettingValues, _ context: TreeContext, _ gates: Gates) {
        self.values = values
        self.context = context
        self.gates = gates
    }

    /// What is inherited at another origin.
    func crossingOrigins() -> SettingsSnapshot {
        SettingsSnapshot(values: values.crossingOrigins, context, gates)
    }

    /// The stages of requests with these settings: made by the first request, for all that share this snapshot.
    func stages(_ make: () -> CallStages) -> CallStages { made.load() ?? made.storeIfNil(make()) }

    /// The effective value of a setting.
    func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value { values.value(key) }
}

extension SettingsLayer {
    /// Whether it says itself how many requests may run at once.
    fileprivate var limitsRequests: Bool {
        own(MaxConcurrentRequestsKey.self) != nil || own(AdaptiveConcurrencyKey.self) != nil
    }

    /// Whether it says anything of pace or quota.
    var mayPaceRequests: Bool { own(PaceKey.self) != nil || own(TracksQuotaKey.self) != nil }

    /// Whether its requests have a line of their own: it says itself when they may begin, or has them tracked if
    /// nothing does that already.
    func pacesRequests(over inherited: SettingsSnapshot) -> Bool {
        own(PaceKey.self) != nil || own(TracksQuotaKey.self) != nil && inherited.value(PaceKey.self) == nil
    }

    /// Whether quotas are tracked if nothing paces requests.
    func tracksQuota(over inherited: SettingsSnapshot) -> Bool {
        own(TracksQuotaKey.self) ?? inherited.value(TracksQuotaKey.self)
    }
}
