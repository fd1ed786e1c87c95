// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A setting's type, its default, and how a nearer layer combines with the inherited value.
///
/// To add a setting, declare a key and a property of ``Settings`` that reads and writes it.
public protocol SettingKey: Sendable {
    /// The type of the setting.
    associatedtype Value: Sendable

    /// The value if no layer sets one.
    static var defaultValue: Value { get }

    /// Combines a layer's own value with the inherited one; by default the nearer wins.
    static func combine(inherited: Value, own: Value) -> Value

    /// The value that a layer holds after one was assigned; by default the assigned one.
    ///
    /// - Parameters:
    ///   - value: The assigned value.
    ///   - own: The layer's previous value; `nil` if it inherited.
    ///   - layer: The layer, and where its resource is.
    /// - Returns: The layer's value.
    static func write(_ value: Value, onto own: Value?, in layer: LayerContext) -> Value

    /// The value that a reader of the setting gets; by default unchanged.
    static func read(_ value: Value, in layer: LayerContext) -> Value

    /// The value in words, for ``Resource/explain(_:)``; it must not contain secrets.
    static func describe(_ value: Value) -> String

    /// Whether a link to another origin takes the inherited value along; by default false.
    ///
    /// Return `true` only if neither the value nor its code can carry a secret from one origin to another.
    static var crossesOrigins: Bool { get }

    /// The part of a value that is sent along to another origin; by default all of it or nothing, by
    /// ``crossesOrigins``.
    static func crossing(_ value: Value) -> Value?

    /// Whether code in the value may make a request wait, for a network, a lock, or a person; by default false.
    ///
    /// A request with such a hook runs in its own task, so that cancellation and its deadline reach the hook.
    static func mayWait(_ value: Value) -> Bool

    /// Whether two requests need the same value to share a response (``CallKey``); by default true.
    static var affectsAnswer: Bool { get }
}

extension SettingKey {
    /// The nearer value wins.
    public static func combine(inherited: Value, own: Value) -> Value { own }

    /// The layer holds the assigned value.
    public static func write(_ value: Value, onto own: Value?, in layer: LayerContext) -> Value { value }

    /// The reader gets the value unchanged.
    public static func read(_ value: Value, in layer: LayerContext) -> Value { value }

    /// False: the value stays at its origin.
    public static var crossesOrigins: Bool { false }

    /// The whole value, or nothing.
    public static func crossing(_ value: Value) -> Value? { crossesOrigins ? value : nil }

    /// False: nothing in the value waits.
    public static func mayWait(_ value: Value) -> Bool { false }

    /// True: requests that share a response need the same value.
    public static var affectsAnswer: Bool { true }

    /// The value's own description; `none` for `nil`, and a short form for a duration: `1.5 s`.
    public static func describe(_ value: Value) -> String {
        if let duration = value as? Duration { return SpokenDuration(duration).description }
        if let optional = value as? any AnyOptional { return optional.wrapped.map { String(describing: $0) } ?? "none" }
        return String(describing: value)
    }
}

/// The key of a setting that reveals nothing to another origin.
protocol HarmlessSettingKey: SettingKey {}

extension HarmlessSettingKey {
    /// True.
    static var crossesOrigins: Bool { true }
}

/// An optional among values of any type.
protocol AnyOptional {
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    var wrapped: Any? { map { $0 as Any } }
}
