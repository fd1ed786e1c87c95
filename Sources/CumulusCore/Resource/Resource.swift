// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A place on a server and a layer of settings: the root of a tree, or a child that inherits from its parent.
///
/// ```swift
/// let site = Resource("https://api.example.com", transport: transport)
/// site.timeout = .seconds(20)
/// let posts = site["posts"]
/// let all = try await posts.get(as: [Post].self, query: ["limit": 10])
/// ```
///
/// Settings are looked up when a request starts, so a later change to an ancestor reaches its children's next request.
/// Each `site["posts"]` is a new, cheap place: settings belong to the object you keep. A URL or path that can't be used
/// makes a resource whose requests throw; nothing traps.
@dynamicMemberLookup
public final class Resource: Sendable {
    private struct State {
        /// The resource's own settings; `nil` for none.
        var layer: SettingsLayer?
        /// Counts the changes of the layer.
        var revision: UInt64 = 0
        var snapshot: SettingsSnapshot?
        var version: UInt64 = 0
        /// The gates for its subtree's requests, if it limits or paces them.
        var gates = SettingsSnapshot.Gates()
        #if DEBUG
        /// The line that made this place, and whether a setting written here has not been read yet.
        var source: SettingSource?
        var isUnseen = false
        #endif
    }

    /// The resource one level up; `nil` for a root.
    public let parent: Resource?
    /// The resource whose settings this one inherits: its parent, or the one that `with` was called on.
    let base: Resource?
    /// How a link led here; `nil` for roots and children.
    let link: Link?
    let tree: ResourceTree
    let place: Place
    private let state: Mutex<State>

    /// Makes a root.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL, as a string or as `URL`. Its query becomes the root's own, and its user
    ///     and
    ///     password become the root's ``Settings/credentials``.
    ///   - transport: The transport for the requests of the whole tree.
    public convenience init(_ url: some Locator, transport: any Transport) {
        let parsed = Result { () throws(RequestURL.Malformation) in try RequestURL.parse(url.locatorText) }
        self.init(parsed, transport: transport)
    }

    /// Makes a root from a parsed URL.
    package convenience init(_ url: RequestURL, transport: any Transport) {
        self.init(.success((url, nil)), transport: transport)
    }

    /// Makes a separate place in another resource's tree, which inherits its settings: also its credentials, if they
    /// are bound to this place's origin or to none.
    package convenience init(_ url: String, over base: Resource) {
        let parsed = Result { () throws(RequestURL.Malformation) in try RequestURL.parse(url) }
        self.init(parsed, over: base, in: base.tree)
    }

    /// Makes the root of a tree without a URL, which holds settings for places made over it.
    package convenience init(nowhere reason: String, transport: any Transport) {
        self.init(.failure(RequestURL.Malformation(reason)), transport: transport)
    }

    private convenience init(
        _ url: Result<(url: RequestURL, userInfo: Credentials?), RequestURL.Malformation>,
        transport: any Transport
    ) {
        self.init(url, over: nil, in: ResourceTree(transport: transport))
    }

    private init(
        _ url: Result<(url: RequestURL, userInfo: Credentials?), RequestURL.Malformation>,
        over base: Resource?,
        in tree: ResourceTree
    ) {
        var layer = SettingsLayer()
        switch url {
        case .success(let parsed):
            place = Place(parsed.url)
            let inherited = base?.snapshot.values ?? tree.defaults.values
            var editor = Settings(layer, over: inherited, in: { [place] in LayerContext(place, owner: $0) })
            if let query = parsed.url.query { editor.query = Query(ofURL: query) }
            if let credentials = parsed.userInfo { editor.credentials = credentials }
            layer = editor.layer
        case .failure(let problem): place = Place(problem: .url(problem))
        }
        parent = nil
        self.base = base
        link = nil
        self.tree = tree
        state = Mutex(State(layer: layer.isEmpty ? nil : layer))
    }

    /// Makes a place in a tree; `layer` has its own settings.
    init(
        place: Place,
        parent: Resource?,
        base: Resource,
        layer: SettingsLayer? = nil,
        link: Link? = nil
    ) {
        self.place = place
        self.parent = parent
        self.base = base
        self.link = link
        self.tree = base.tree
        self.state = Mutex(State(layer: layer))
    }

    /// The current effective settings; changes to the copy don't affect the resource.
    public var settings: Settings { Settings(SettingsLayer(), over: snapshot.values, in: context) }

    /// The current effective settings, resolved.
    ///
    /// Costs a lock and a comparison if no layer of the tree has changed.
    var snapshot: SettingsSnapshot {
        // Read before the layers: a change in between makes the stored version stale, never the reverse.
        let version = tree.version
        #if DEBUG
        state.withLock { $0.isUnseen = false }
        #endif
        if let known = state.withLock({ $0.version == version ? $0.snapshot : nil }) { return known }
        let inherited = inherited
        let layer = state.withLock { $0.layer }
        let resolved = layer.map { resolve($0, over: inherited) } ?? inherited
        let replaced = state.withLock { state in
            let replaced = state.snapshot
            state.snapshot = resolved
            state.version = version
            return replaced
        }
        // Released here, not under the lock: the `deinit` of a setting's value may run code.
        _ = replaced
        return resolved
    }

    /// A setting, by name: reading gives the effective value; writing changes this resource's own layer.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<Settings, Value>) -> Value {
        get { Settings(SettingsLayer(), over: snapshot.values, in: context, owner: self)[keyPath: setting] }
        set { edit(source: nil) { $0[keyPath: setting] = newValue } }
    }

    /// This resource's own value of a setting; `nil` if it inherits.
    func own<Key: SettingKey>(_ key: Key.Type) -> Key.Value? { state.withLock { $0.layer }?.own(key) }

    /// This resource's own value for a key, and where it was written; `nil` if it inherits.
    func entry<Key: SettingKey>(of key: Key.Type) -> SettingsLayer.Entry? {
        state.withLock { $0.layer?.entries[ObjectIdentifier(key)] }
    }

    func context(_ owner: AnyObject) -> LayerContext { LayerContext(place, owner: owner) }

    var inherited: SettingsSnapshot {
        guard let base else { return tree.defaults }
        return link?.crossesOrigins == true ? base.snapshot.crossingOrigins() : base.snapshot
    }

    /// This place's own settings over a snapshot instead of the currently inherited ones, for links within a call.
    func settings(over snapshot: SettingsSnapshot) -> SettingsSnapshot {
        let inherited = link?.crossesOrigins == true ? snapshot.crossingOrigins() : snapshot
        let layer = state.withLock { $0.layer }
        return layer.map { resolve($0, over: inherited) } ?? inherited
    }

    private func resolve(_ layer: SettingsLayer, over inherited: SettingsSnapshot) -> SettingsSnapshot {
        SettingsSnapshot(layer, over: inherited, own: gates(of: layer, over: inherited))
    }

    /// Changes the layer outside the lock, since a setting's own code runs, and again if another thread was faster.
    func change(_ edit: (inout SettingsLayer) throws -> Void) rethrows {
        while true {
            let (layer, revision) = state.withLock { ($0.layer ?? SettingsLayer(), $0.revision) }
            var changed = layer
            try edit(&changed)
            let isStored = state.withLock { state in
                guard state.revision == revision else { return false }
                state.layer = changed
                state.revision += 1
                #if DEBUG
                state.isUnseen = true
                #endif
                return true
            }
            // `layer` lives until here, so that its old values are not freed under the lock.
            withExtendedLifetime(layer) {}
            if isStored {
                _ = gates(of: changed, over: inherited)
                return tree.advance()
            }
        }
    }

    /// The gates of a layer that limits or paces its requests, configured by it; `nil` if it does neither.
    ///
    /// Objects of the same place share them; a resource made by `with` has its own.
    private func gates(
        of layer: SettingsLayer,
        over inherited: @autoclosure () -> SettingsSnapshot
    ) -> SettingsSnapshot.Gates {
        var gates = SettingsSnapshot.Gates()
        let most = max(0, layer.own(MaxConcurrentRequestsKey.self) ?? 0)
        if most > 0 {
            let gate = kept(\.limit, or: tree.context.limits) { LimitGate() }
            gate.change(to: most)
            gates.limit = gate
        }
        guard layer.mayPaceRequests else { return gates }
        let inherited = inherited()
        let pace = layer.own(PaceKey.self) ?? inherited.value(PaceKey.self)
        if layer.pacesRequests(over: inherited), pace != nil || layer.tracksQuota(over: inherited) {
            let gate = kept(\.pace, or: tree.context.paces) { PaceGate() }
            gate.change(to: pace, on: layer.own(ClockKey.self) ?? inherited.value(ClockKey.self))
            gates.pace = gate
        }
        return gates
    }

    private func kept<Gate: AnyObject & Sendable>(
        _ path: any WritableKeyPath<SettingsSnapshot.Gates, Gate?> & Sendable,
        or table: PlaceTable<Gate>,
        _ make: () -> Gate
    ) -> Gate {
        if let known = state.withLock({ $0.gates[keyPath: path] }) { return known }
        let gate = base === parent ? table.gate(at: place) : make()
        return state.withLock { state in
            let kept = state.gates[keyPath: path] ?? gate
            state.gates[keyPath: path] = kept
            return kept
        }
    }

    #if DEBUG
    func note(_ source: SettingSource?) { state.withLock { $0.source = source } }

    deinit {
        let (source, isUnseen) = state.withLock { ($0.source, $0.isUnseen) }
        guard isUnseen, let source else { return }
        UnkeptSettings.warn(about: description, writtenAt: source)
    }
    #endif

    /// Whether a link led here and nothing has been set here since.
    var isUntouchedLink: Bool { link != nil && state.withLock { $0.revision == 0 } }
}

/// How a link led to a resource.
struct Link: Sendable {
    /// Whether any link on the way led to another origin, so that only harmless settings are inherited.
    let crossesOrigins: Bool
}
