// SPDX-License-Identifier: Apache-2.0

/// The key of a setting that is a list, to which each layer adds; the root's elements are first.
public protocol ListSettingKey: SettingKey where Value == SettingList<Element> {
    /// The type of the list's elements.
    associatedtype Element: Sendable
}

extension ListSettingKey {
    /// An empty list.
    public static var defaultValue: SettingList<Element> { [] }

    /// The inherited elements, then the layer's own.
    public static func combine(inherited: SettingList<Element>, own: SettingList<Element>) -> SettingList<Element> {
        inherited.combined(with: own)
    }

    /// How many elements there are.
    public static func describe(_ value: SettingList<Element>) -> String { "\(value.count) of \(Element.self)" }
}
