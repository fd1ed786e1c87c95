// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A setting's type, its default, and how a nearer layer combines with the inherited value.
///
/// To add a setting, declare a key and a property of ``Resource/Settings`` that reads and writes it.
public protocol SettingKey: Sendable {
    /// The type of the setting.
    associatedtype Value: Sendable

    /// The value that applies if no layer sets one.
    static var defaultValue: Value { get }

    /// Combines a layer's own value with the inherited one; by default the nearer wins.
    static func combine(inherited: Value, own: Value) -> Value

    /// Returns the effective value for a reader of a layer; by default, the value unchanged.
    ///
    /// If each layer stores its own part of a value, the value records the layer here, and then its own changes, so
    /// that ``written(_:onto:in:)`` adds only these changes.
    static func read(_ value: Value, in layer: LayerContext) -> Value

    /// Returns the part of a written value that the layer stores; by default, the whole value.
    ///
    /// - Parameters:
    ///   - value: The value: changed after it was read from this layer, or made elsewhere.
    ///   - own: The layer's value so far, which other code may have changed since; `nil` if it inherits.
    ///   - layer: The layer, with the address of its resource.
    /// - Returns: The value that the layer stores.
    static func written(_ value: Value, onto own: Value?, in layer: LayerContext) -> Value

    /// Returns a description of the value, for ``Resource/explain(_:)``; it must not contain secrets.
    static func describe(_ value: Value) -> String

    /// Whether the inherited value also applies after a link to a different origin; by default false.
    ///
    /// Return `true` only if neither the value nor its code can carry a secret from one origin to another.
    static var crossesOrigins: Bool { get }

    /// This key if it is a ``TransportSettingKey``, which implements it; otherwise `nil`.
    static var transportKey: (any TransportSettingKey.Type)? { get }
}

extension SettingKey {
    /// Returns the layer's own value: the nearer value wins.
    public static func combine(inherited: Value, own: Value) -> Value { own }

    /// Returns the value itself, or for a list, fields, a query or coders, a value that records its changes.
    public static func read(_ value: Value, in layer: LayerContext) -> Value {
        guard let whole = value as? any MergedValue else { return value }
        return whole.readFromLayer(layer) as? Value ?? value
    }

    /// Returns the value itself, or for a list, fields, a query or coders, the layer's part with the changes.
    public static func written(_ value: Value, onto own: Value?, in layer: LayerContext) -> Value {
        guard let part = value as? any MergedValue else { return value }
        return merged(part, onto: own, in: layer) as? Value ?? value
    }

    private static func merged<Part: MergedValue>(_ part: Part, onto own: Any?, in layer: LayerContext) -> Part {
        part.written(onto: own as? Part, in: layer)
    }

    /// The default: false, so the value stays at its origin.
    public static var crossesOrigins: Bool { false }

    /// The default: `nil`.
    public static var transportKey: (any TransportSettingKey.Type)? { nil }

    /// Returns the value's own description; `none` for `nil`, and a short form for a duration: `1.5 s`.
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

/// The key of a setting that no response depends on: calls that differ in it may join (``CallKey/joining(_:)``).
protocol UncomparedSettingKey: SettingKey {}

/// A value of which each layer keeps its own part.
///
/// Reading it gives the whole; what is changed in that, and written back, changes the part only.
protocol MergedValue: Sendable {
    /// Returns the whole, as a reader of a layer gets it.
    func readFromLayer(_ layer: LayerContext) -> Self
    /// The layer's part after this value was written to it.
    func written(onto own: Self?, in layer: LayerContext) -> Self
    /// Whether it leaves what is inherited as it is, so that no layer needs to hold it.
    var addsNothing: Bool { get }
}

extension MergedValue {
    var addsNothing: Bool { false }
}

/// The key of a setting that is a list, to which each layer adds; the root's elements are first.
public protocol ListSettingKey: SettingKey where Value == SettingList<Element> {
    /// The type of the list's elements.
    associatedtype Element: Sendable
}

extension ListSettingKey {
    /// An empty list.
    public static var defaultValue: SettingList<Element> { [] }

    /// Returns the inherited elements, followed by the layer's own.
    public static func combine(inherited: SettingList<Element>, own: SettingList<Element>) -> SettingList<Element> {
        inherited.combined(with: own)
    }

    /// Returns the number of elements.
    public static func describe(_ value: SettingList<Element>) -> String { "\(value.count) of \(Element.self)" }
}
