// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Fixtures that answer requests instead of the network.
    ///
    /// `$0.fixtures[.get] = .json(value)` is for the place itself, `$0.fixtures["GET /posts/:id"] = ...` for places below
    /// it. Default: none. They are merged by signature; the nearest wins, so a place's own fixture overrides a root's for
    /// the whole tree. `nil` for a signature masks the inherited fixture.
    public var fixtures: FixtureSet {
        get { self[FixturesKey.self] }
        set { self[FixturesKey.self] = newValue }
    }

    /// Whether fixtures are used.
    ///
    /// Default: ``FixtureUse/known``. The nearest layer wins.
    public var fixtureUse: FixtureUse {
        get { self[FixtureUseKey.self] }
        set { self[FixtureUseKey.self] = newValue }
    }
}

/// Whether fixtures answer requests.
public enum FixtureUse: Sendable, Hashable {
    /// They don't: all requests are sent.
    case off
    /// Requests with a fixture get it, and the others are sent.
    case known
    /// Nothing is sent: a request without a fixture fails with ``CumulusError/Code/fixture``, which lists the
    /// signatures.
    case only
}

/// The key of ``Settings/fixtures``.
enum FixturesKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: FixtureSet { FixtureSet() }
    /// The nearer fixture of each signature wins.
    static func combine(inherited: FixtureSet, own: FixtureSet) -> FixtureSet { own.combined(over: inherited) }
    /// Writes only the changed signatures; paths start at the layer's resource.
    static func write(_ value: FixtureSet, onto own: FixtureSet?, in layer: LayerContext) -> FixtureSet {
        value.written(onto: own, in: layer)
    }
    /// All of them.
    static func read(_ value: FixtureSet, in layer: LayerContext) -> FixtureSet { value.readFromLayer(layer) }
}

/// The key of ``Settings/fixtureUse``.
enum FixtureUseKey: HarmlessSettingKey {
    /// ``FixtureUse/known``.
    static var defaultValue: FixtureUse { .known }
}
