// SPDX-License-Identifier: Apache-2.0

/// A setting: its type, its default, and how a nearer layer combines with what it inherits.
///
/// To add one, declare a key and a property of ``Settings`` that reads and writes it.
public protocol SettingKey: Sendable {
    /// The type of the setting.
    associatedtype Value: Sendable

    /// What holds if no layer says anything.
    static var defaultValue: Value { get }

    /// What a layer's own value makes of the inherited one; by default the nearer wins.
    static func combine(inherited: Value, own: Value) -> Value

    /// What a layer holds after a value was written to it; by default the value.
    ///
    /// - Parameters:
    ///   - value: What was assigned.
    ///   - own: What the layer held; `nil` if it inherited.
    ///   - layer: Which layer it is, and where its resource is.
    /// - Returns: The layer's value.
    static func write(_ value: Value, onto own: Value?, in layer: LayerContext) -> Value

    /// What a reader of the setting gets; by default the value.
    static func read(_ value: Value, in layer: LayerContext) -> Value

    /// The value in words, for ``Resource/explain(_:)``; must not tell secrets.
    static func describe(_ value: Value) -> String

    /// Whether what an origin's resources inherit is sent along with a link to another origin; by default not.
    ///
    /// Say `true` only if neither the value nor its code can bring a secret of one origin to another.
    static var crossesOrigins: Bool { get }

    /// What of a value is sent along to another origin; by default all of it or nothing, as ``crossesOrigins`` says.
    static func crossing(_ value: Value) -> Value?

    /// Whether code in the value may make a request wait, for a network, a lock, or a person; by default not.
    ///
    /// A request with such a hook runs in a task of its own, so that cancelling and its deadline reach the hook.
    static func mayWait(_ value: Value) -> Bool

    /// Whether two requests must agree on the setting to share an answer (``RequestIdentity``); by default they must.
    static var affectsAnswer: Bool { get }
}

extension SettingKey {
    /// The nearer value wins.
    public static func combine(inherited: Value, own: Value) -> Value { own }

    /// The layer holds what was assigned.
    public static func write(_ value: Value, onto own: Value?, in layer: LayerContext) -> Value { value }

    /// The reader gets the value as it is.
    public static func read(_ value: Value, in layer: LayerContext) -> Value { value }

    /// It stays at its origin.
    public static var crossesOrigins: Bool { false }

    /// All of it, or nothing.
    public static func crossing(_ value: Value) -> Value? { crossesOrigins ? value : nil }

    /// Nothing in it waits.
    public static func mayWait(_ value: Value) -> Bool { false }

    /// They must agree.
    public static var affectsAnswer: Bool { true }

    /// The value's own description; `none` for `nil`, and a duration as people say it: `1.5 s`.
    public static func describe(_ value: Value) -> String {
        if let duration = value as? Duration { return SpokenDuration(duration).description }
        if let optional = value as? any OptionalSetting { return optional.wrappedDescription ?? "none" }
        return String(describing: value)
    }
}

/// An optional of whatever type, so that descriptions don't say `Optional(...)`.
private protocol OptionalSetting {
    var wrappedDescription: String? { get }
}

extension Optional: OptionalSetting {
    fileprivate var wrappedDescription: String? { map { String(describing: $0) } }
}
