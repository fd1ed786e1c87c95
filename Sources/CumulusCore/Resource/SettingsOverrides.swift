// SPDX-License-Identifier: Apache-2.0

/// The overrides of a value: a layer for each copy that it was made by, the newest last.
final class SettingsOverrides: Sendable {
    struct Layer: Sendable {
        let settings: SettingsLayer
        /// The place of the value that was overridden, for explanations.
        let place: Place
        /// Whether it is the query of a link, which links that are followed from there don't get.
        let isLinkQuery: Bool
        /// The copy by `with` whose settings these are; `nil` for the query of a path or a URL.
        let copy: ResourceCopy?
    }

    // An array, since a chain of objects is released by as many nested calls.
    let layers: [Layer]

    private init(_ layers: [Layer]) { self.layers = layers }

    init(
        _ settings: SettingsLayer,
        at place: Place,
        over farther: SettingsOverrides?,
        isLinkQuery: Bool = false,
        copy: ResourceCopy? = nil
    ) {
        let layer = Layer(settings: settings, place: place, isLinkQuery: isLinkQuery, copy: copy)
        layers = (farther?.layers ?? []) + [layer]
    }

    /// The overrides of both, those of the second over the first's.
    static func joined(_ farther: SettingsOverrides?, _ nearer: SettingsOverrides?) -> SettingsOverrides? {
        guard let farther, let nearer else { return farther ?? nearer }
        return SettingsOverrides(farther.layers + nearer.layers)
    }

    /// A snapshot with these overrides over it.
    func added(to rules: SettingsSnapshot) -> SettingsSnapshot {
        SettingsSnapshot(layers.map(\.settings), over: rules)
    }

    /// What a followed link inherits: everything but a link's own query.
    var forLinks: SettingsOverrides? {
        guard layers.contains(where: \.isLinkQuery) else { return self }
        let rest = layers.filter { !$0.isLinkQuery }
        return rest.isEmpty ? nil : SettingsOverrides(rest)
    }
}
