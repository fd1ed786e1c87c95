// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// Fixtures that answer requests instead of the network.
    ///
    /// `$0.fixtures[.get] = .json(value)` is for the place itself, `$0.fixtures["GET /posts/:id"] = ...` for places below
    /// it. Default: none. They are merged by signature; the nearest wins, so a place's own fixture overrides a root's for
    /// the whole tree. `nil` for a signature masks the inherited fixture.
    public var fixtures: FixtureSet {
        get { self[key: FixturesKey.self] }
        set { self[key: FixturesKey.self] = newValue }
    }

    /// Whether fixtures are used.
    ///
    /// Default: ``FixtureUse/known``. The nearest layer wins.
    public var fixtureUse: FixtureUse {
        get { self[key: FixtureUseKey.self] }
        set { self[key: FixtureUseKey.self] = newValue }
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

/// The key of ``Resource/Settings/fixtures``.
enum FixturesKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: FixtureSet { FixtureSet() }
    /// The nearer fixture of each signature wins.
    static func combine(inherited: FixtureSet, own: FixtureSet) -> FixtureSet { own.combined(over: inherited) }
}

/// The key of ``Resource/Settings/fixtureUse``.
enum FixtureUseKey: HarmlessSettingKey {
    /// ``FixtureUse/known``.
    static var defaultValue: FixtureUse { .known }
}
