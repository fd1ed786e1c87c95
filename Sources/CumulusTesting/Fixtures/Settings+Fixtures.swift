// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension Resource.Settings {
    /// Fixtures that respond instead of the network, through a transport in front of the one that would send the
    /// requests.
    ///
    /// `$0.fixtures[.get] = .json(value)` applies to the place itself, and `$0.fixtures["GET /posts/:id"] = ...` to
    /// places below it. Default: none. They are merged by signature; the nearest wins, so a place's own fixture
    /// overrides one that the root has for the whole tree. `nil` for a signature masks the inherited fixture.
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

/// How fixtures are used for requests.
public enum FixtureUse: Sendable, Hashable {
    /// Fixtures are not used: all requests are sent.
    case off
    /// Requests with a fixture receive it, and other requests are sent.
    case known
    /// Nothing is sent: a request without a fixture fails with `CumulusError.Code.fixture`, which lists the
    /// signatures.
    case only
}

/// The key of `fixtures`.
enum FixturesKey: TransportSettingKey {
    /// None.
    static var defaultValue: FixtureSet { FixtureSet() }
    /// They reveal nothing to another origin.
    static var crossesOrigins: Bool { true }
    /// The nearer fixture of each signature wins.
    static func combine(inherited: FixtureSet, own: FixtureSet) -> FixtureSet { own.combined(over: inherited) }
    /// The set, which notes its changes.
    static func read(_ value: FixtureSet, in layer: LayerContext) -> FixtureSet { value.readFromLayer(layer) }
    /// The layer's own fixtures, whose paths begin at its resource.
    static func written(_ value: FixtureSet, onto own: FixtureSet?, in layer: LayerContext) -> FixtureSet {
        value.written(onto: own, in: layer)
    }
    /// The fixtures, before what sends the other requests.
    static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport {
        // Where nothing may be sent, the other key sees to it, even without any fixture.
        settings.fixtureUse == .only ? next : FixtureTransport.before(next, in: settings)
    }
}

/// The key of `fixtureUse`.
enum FixtureUseKey: TransportSettingKey {
    /// ``FixtureUse/known``.
    static var defaultValue: FixtureUse { .known }
    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
    /// The fixtures alone, where nothing may be sent.
    static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport {
        settings.fixtureUse == .only ? FixtureTransport.before(next, in: settings) : next
    }
}
