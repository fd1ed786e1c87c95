// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// All settings of a place at one moment, resolved: what a request uses from its start to its end.
final class SettingsSnapshot: Sendable {
    let values: SettingValues
    let context: TreeContext
    /// The limiters where its requests wait, if they are limited.
    let limiters: Limiters
    // Not `AtomicLazyReference`, whose methods look up generic metadata each time.
    private let made = Mutex<RequestPipeline?>(nil)

    /// The limiters where requests wait; `nil` if they don't.
    struct Limiters: Sendable {
        var limit: ConcurrencyLimiter?
        var rateLimiter: RateLimiter?
    }

    /// The defaults, without any layer.
    convenience init(_ context: TreeContext) { self.init(values: SettingValues(), context, Limiters()) }

    /// A place's rules over the inherited ones, with the limiters that its rules made.
    convenience init(_ rules: SettingsLayer, over inherited: SettingsSnapshot, limiters own: Limiters) {
        var limiters = inherited.limiters
        if rules.limitsRequests { limiters.limit = own.limit }
        if rules.own(RateLimitKey.self) != nil { limiters.rateLimiter = own.rateLimiter }
        self.init(values: inherited.values.with(rules), inherited.context, limiters)
    }

    /// Overrides over other settings, whose limiters stay.
    convenience init(_ overrides: [SettingsLayer], over inherited: SettingsSnapshot) {
        let values = overrides.reduce(inherited.values) { $0.with($1) }
        self.init(values: values, inherited.context, inherited.limiters)
    }

    private init(values: SettingValues, _ context: TreeContext, _ limiters: Limiters) {
        self.values = values
        self.context = context
        self.limiters = limiters
    }

    /// The settings that are inherited at another origin: of the header fields those that reveal nothing, such as
    /// `Accept`, of the authorizers those that are shared with it and the origins on the way, and the client's name.
    func crossing(to origin: Origin?, through origins: Set<Origin>) -> SettingsSnapshot {
        let crossing = values.crossingOrigins
            .setting(HeadersKey.self, to: value(HeadersKey.self).keeping(Headers.harmlessNames))
            .setting(AuthorizersKey.self, to: value(AuthorizersKey.self).crossing(to: origin, through: origins))
            .setting(ClientKey.self, to: value(ClientKey.self)?.forOtherOrigins)
        return SettingsSnapshot(values: crossing, context, limiters)
    }

    /// The stages of requests with these settings: made by the first request, for all that share this snapshot.
    var pipeline: RequestPipeline {
        if let known = made.withLock(\.self) { return known }
        // Outside the lock: a setting's value may be user code.
        let pipeline = RequestPipeline(context, settings: values, limiters: limiters)
        return made.withLock { made in
            if let first = made { return first }
            made = pipeline
            return pipeline
        }
    }

    /// The effective value of a setting.
    func value<Key: SettingKey>(_ key: Key.Type) -> Key.Value { values.value(key) }
}

extension SettingsLayer {
    /// The layer's own rate limit; `nil` if it has none, or inherits.
    var rateLimit: RateLimit? { own(RateLimitKey.self) ?? nil }

    /// Whether the layer itself limits how many requests may run at once.
    fileprivate var limitsRequests: Bool { own(MaxConcurrentRequestsKey.self) != nil }
}
