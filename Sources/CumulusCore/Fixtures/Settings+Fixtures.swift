// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Fixtures that answer requests in place of the network: `resource.fixtures[.get] = .json(value)` for the resource
    /// itself, `site.fixtures["GET /posts/:id"] = ...` for places below it.
    ///
    /// Default: none. Layers are merged by signature; the nearest wins, so a resource's own beats what a root has for the
    /// whole tree. `nil` for a signature masks the inherited fixture.
    public var fixtures: FixtureSet {
        get { self[FixturesKey.self] }
        set { self[FixturesKey.self] = newValue }
    }

    /// Whether fixtures are used.
    ///
    /// Default: where there is one. The nearest layer wins.
    public var fixtureUse: FixtureUse {
        get { self[FixtureUseKey.self] }
        set { self[FixtureUseKey.self] = newValue }
    }
}

/// Whether fixtures answer requests.
public enum FixtureUse: Sendable, Hashable {
    /// They don't: all requests are sent.
    case off
    /// A request that has one gets it, the others are sent.
    case known
    /// Nothing is sent: a request that has none fails with ``CumulusError/Code/fixture``, which lists what there is.
    case only
}

/// The key of ``Settings/fixtures``.
enum FixturesKey: SettingKey {
    /// None.
    static var defaultValue: FixtureSet { FixtureSet() }
    /// The nearer fixture of each signature wins.
    static func combine(inherited: FixtureSet, own: FixtureSet) -> FixtureSet { own.combined(over: inherited) }
    /// Only the signatures that were changed are written; paths begin at the layer's resource.
    static func write(_ value: FixtureSet, onto own: FixtureSet?, in layer: LayerContext) -> FixtureSet {
        value.written(onto: own, in: layer)
    }
    /// All of them.
    static func read(_ value: FixtureSet, in layer: LayerContext) -> FixtureSet { value.readFromLayer(layer) }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/fixtureUse``.
enum FixtureUseKey: SettingKey {
    /// Where there is one.
    static var defaultValue: FixtureUse { .known }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}
