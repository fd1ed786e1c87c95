// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a ``Resource`` refers to: a place in a tree, the overrides of its value, and the settings that follow from both.
final class ResourceNode: Sendable {
    /// Where a place's rules come from.
    enum Inheritance: Sendable {
        /// From the tree, by the place.
        case tree
        /// From another value's settings, overrides included, to which the rules of this place are added: all of a
        /// service's other server.
        case value(ResourceNode)
        /// From the value where a link to another origin was followed: what may go to this origin, and could go to
        /// those that links led through since.
        case crossing(ResourceNode, through: Set<Origin>)
    }

    /// The settings as they were at a version of the tree's rules.
    struct Resolution {
        var version: UInt64 = 0
        /// The rules, without overrides.
        var rules: SettingsSnapshot
        var effective: SettingsSnapshot
        /// Whether no place below has rules of its own.
        var isDeepest: Bool
        /// Whether the place is at the origin of the tree's root, but neither there nor below it.
        var isBesideRoot = false
    }

    let tree: ResourceTree
    let place: Place
    /// The place one level up; `nil` for a root and a followed link.
    // Unsafe, like `inheritance`: it changes only when no other reference to this node is left.
    @exclusivity(unchecked) private(set) nonisolated(unsafe) var parent: ResourceNode?
    // Unsafe: see `parent`.
    @exclusivity(unchecked) private(set) nonisolated(unsafe) var inheritance: Inheritance
    let overrides: SettingsOverrides?
    /// Whether a link led here.
    let isLink: Bool
    /// How the path below the parent's was written.
    let source: PathSource
    private let kept = Mutex<Resolution?>(nil)

    init(
        _ place: Place,
        in tree: ResourceTree,
        parent: ResourceNode? = nil,
        inheritance: Inheritance = .tree,
        overrides: SettingsOverrides? = nil,
        isLink: Bool = false,
        source: PathSource = .values
    ) {
        self.source = source
        self.place = place
        self.tree = tree
        self.parent = parent
        self.inheritance = inheritance
        self.overrides = overrides
        self.isLink = isLink
    }

    /// Releases the nodes that only this one refers to: one after the other, since a chain of places or links of any
    /// length would otherwise be released by as many nested calls.
    deinit {
        // Most parents outlive their children.
        if inheritance.source == nil, !isKnownUniquelyReferenced(&parent) { return }
        var nodes = releaseReferences()
        while var node = nodes.popLast() {
            if isKnownUniquelyReferenced(&node) { nodes += node.releaseReferences() }
        }
    }

    /// Where its rules are: its place, or the nearest above whose path was not refused.
    var rulePath: RulePath {
        var nearest: ResourceNode? = self
        while let node = nearest {
            if let address = try? node.place.address.get() {
                return RulePath(address, isThirdParty: node.inheritance.crosses)
            }
            nearest = node.parent
        }
        return .nowhere
    }

    /// Whether rules can be written here: not at a path that was refused.
    var hasRules: Bool { isRoot || (try? place.address.get()) != nil }

    /// Whether it is a tree's root, or a copy of it.
    var isRoot: Bool { parent == nil && !isLink && rulePath.steps == tree.rules.root.steps }

    /// The effective settings.
    ///
    /// Costs a lock and a comparison if no rule of the tree has changed.
    var snapshot: SettingsSnapshot {
        let version = tree.rules.version
        return kept.withLock { $0?.version == version ? $0?.effective : nil } ?? resolution.effective
    }

    /// The rules of the place, with all that they inherit, but without overrides.
    var rules: SettingsSnapshot { resolution.rules }

    private var resolution: Resolution {
        // Read before the rules: a change in between makes what is kept here stale, never the reverse.
        let version = tree.rules.version
        if let known = kept.withLock({ $0?.version == version ? $0 : nil }) { return known }
        if parent?.isResolved(at: version) == false || inheritance.source?.isResolved(at: version) == false {
            resolveAncestors(at: version)
        }
        return resolve(at: version)
    }

    private func isResolved(at version: UInt64) -> Bool { kept.withLock { $0.map { $0.version >= version } ?? false } }

    /// Resolves the nodes that this one inherits from, the farthest first: a chain of them can have any length, and the
    /// stack can't.
    private func resolveAncestors(at version: UInt64) {
        var waiting = ancestors.map { (node: $0, isReady: false) }
        while let (node, isReady) = waiting.popLast() {
            if node.isResolved(at: version) { continue }
            if isReady {
                _ = node.resolve(at: version)
            } else {
                waiting.append((node, true))
                waiting += node.ancestors.map { ($0, false) }
            }
        }
    }

    /// The nodes that this one inherits from directly.
    private var ancestors: [ResourceNode] { [parent, inheritance.source].compactMap(\.self) }

    private func resolve(at version: UInt64) -> Resolution {
        var resolved = resolve()
        resolved.version = version
        let replaced = kept.withLock { kept in
            // A rule may have changed meanwhile, and another task may have resolved the newer ones.
            if let newer = kept, newer.version > version { return resolved as Resolution? }
            defer { kept = resolved }
            return kept
        }
        // Released here, not under the lock: the `deinit` of a setting's value may run code.
        withExtendedLifetime(replaced) {}
        return resolved
    }

    private func resolve() -> Resolution {
        let above = parent?.resolution
        if let above, above.isDeepest {
            return adding(overrides, to: above.rules, isDeepest: true, like: above)
        }
        if let above, !above.isBesideRoot, let isDeepest = isDeepestWithoutRules {
            return adding(overrides, to: above.rules, isDeepest: isDeepest, like: above)
        }
        let path = rulePath
        let (rules, isDeepest) = tree.rules.resolved(at: path, over: inherited)
        var resolved = adding(overrides, to: rules, isDeepest: isDeepest, like: above)
        resolved.isBesideRoot = tree.rules.isBesideRoot(path)
        return resolved
    }

    /// Takes the references to other nodes away from a node that is about to be released.
    private func releaseReferences() -> [ResourceNode] {
        let nodes = ancestors
        parent = nil
        inheritance = .tree
        return nodes
    }

    /// Whether no deeper place has rules, if neither this one nor one between it and its parent has any; else `nil`.
    private var isDeepestWithoutRules: Bool? {
        guard let own = try? place.address.get(), let above = try? parent?.place.address.get(),
            let (segments, depth) = RulePath.segments(of: own.path, behind: above.path)
        else { return nil }
        return tree.rules.isDeepest(adding: segments, below: depth)
    }

    /// The rules with the overrides over them; the parent's own snapshot if it has the same of both.
    private func adding(
        _ overrides: SettingsOverrides?,
        to rules: SettingsSnapshot,
        isDeepest: Bool,
        like above: Resolution?
    ) -> Resolution {
        let effective: SettingsSnapshot
        if let above, above.rules === rules, parent?.overrides === overrides {
            effective = above.effective
        } else {
            effective = overrides?.added(to: rules) ?? rules
        }
        return Resolution(rules: rules, effective: effective, isDeepest: isDeepest)
    }
}

// MARK: Other nodes

extension ResourceNode {
    /// The place of a child; the query of its path is the child's own.
    ///
    /// `template` is the template from which the path was made, if there is one.
    func child(_ path: Result<ChildPath, PathRefusal>, from template: URITemplate? = nil) -> ResourceNode {
        let place = place.appending(path)
        var overrides = overrides
        if case .success(let child) = path, !child.query.isEmpty {
            overrides = overriding(child.query, at: place, over: overrides)
        }
        return ResourceNode(
            place,
            in: tree,
            parent: self,
            inheritance: inheritance,
            overrides: overrides,
            source: template.map { .template($0.text) } ?? PathSource(path)
        )
    }

    /// The same place with settings of its own.
    func overriding(with layer: SettingsLayer, copy: ResourceCopy? = nil) -> ResourceNode {
        ResourceNode(
            place,
            in: tree,
            parent: parent,
            inheritance: inheritance,
            overrides: layer.isEmpty ? overrides : SettingsOverrides(layer, at: place, over: overrides, copy: copy),
            isLink: isLink,
            source: source
        )
    }

    /// The place that a link leads to.
    func following(_ url: RequestURL) -> ResourceNode {
        let place = Place(url)
        let crosses = url.origin != self.place.origin
        let kept = overrides?.forLinks
        var overrides = crosses ? nil : kept
        if let query = url.query {
            overrides = overriding(Query(ofURL: query), at: place, over: overrides, isLinkQuery: true)
        }
        var inheritance = inheritance
        if crosses { inheritance = crossing(with: kept) }
        return ResourceNode(place, in: tree, inheritance: inheritance, overrides: overrides, isLink: true)
    }

    /// What a link to another origin inherits: a link without settings of its own passes on what it inherits itself, so
    /// that a chain of pages stays short.
    private func crossing(with overrides: SettingsOverrides?) -> Inheritance {
        guard case .crossing(let first, var origins) = inheritance, overrides == nil, let origin = place.origin,
            tree.rules.layers(at: rulePath, over: true).isEmpty
        else { return .crossing(self, through: []) }
        origins.insert(origin)
        return .crossing(first, through: origins)
    }

    /// A separate place of this tree, with these settings and its own rules.
    ///
    /// From a place that was itself made so, it is made as from the first: neither are overrides lost on the way, nor
    /// does the way grow.
    func separate(_ place: Place) -> ResourceNode {
        var (source, overrides) = (self, overrides)
        while case .value(let first) = source.inheritance {
            overrides = SettingsOverrides.joined(first.overrides, overrides)
            source = first
        }
        let isSame = place.origin == source.place.origin
        // What crossed to another origin never gets the tree's rules back.
        if source.inheritance.crosses, !isSame {
            return ResourceNode(place, in: tree, inheritance: .crossing(self, through: []))
        }
        if isSame || source.isNowhere || RulePath(place).steps.first == tree.rules.root.steps.first {
            return ResourceNode(place, in: tree, inheritance: source.inheritance, overrides: overrides)
        }
        let base = ResourceNode(
            source.place,
            in: tree,
            parent: source.parent,
            inheritance: source.inheritance,
            overrides: overrides,
            isLink: source.isLink
        )
        return ResourceNode(place, in: tree, inheritance: .value(base))
    }

    /// Whether it is the root of a tree that has no URL.
    private var isNowhere: Bool { tree.rules.root.steps.isEmpty && isRoot }

    /// A place of this tree whose requests fail.
    func refusing(_ problem: Place.Problem) -> ResourceNode {
        ResourceNode(Place(problem: problem), in: tree, inheritance: inheritance, overrides: overrides, isLink: true)
    }

    private func overriding(
        _ query: Query,
        at place: Place,
        over farther: SettingsOverrides?,
        isLinkQuery: Bool = false
    ) -> SettingsOverrides {
        var layer = SettingsLayer()
        layer.write(query, for: QueryKey.self, in: LayerContext(place), source: nil)
        return SettingsOverrides(layer, at: place, over: farther, isLinkQuery: isLinkQuery)
    }
}

// MARK: Settings of links and explanations

extension ResourceNode {
    /// What the rules written at this place are written over.
    var rulesAbove: SettingsSnapshot {
        tree.rules.resolved(at: rulePath, over: inherited, leavesOutOwn: true).rules
    }

    /// The settings that another value gives to this one.
    private var inherited: SettingsSnapshot? {
        inheritance.source.map { inheritance.crossing($0.snapshotForLinks, to: place.origin) }
    }

    /// The settings that links followed from here inherit.
    var snapshotForLinks: SettingsSnapshot { overrides?.forLinks?.added(to: rules) ?? rules }

    /// This link's own settings over those of a running call, instead of the tree's current ones.
    func settings(over call: SettingsSnapshot) -> SettingsSnapshot {
        let inherited = inheritance.crossing(call, to: place.origin)
        guard let own = overrides?.layers.last, own.isLinkQuery else { return inherited }
        return SettingsSnapshot([own.settings], over: inherited)
    }

    /// The layers that may set a key, nearest first: overrides, rules, and those that another value passes on.
    func layers<Key: SettingKey>(of key: Key.Type) -> [(place: String, layer: SettingsLayer)] {
        var layers: [(place: String, layer: SettingsLayer)] = []
        var nearest: ResourceNode? = self
        while let node = nearest {
            layers += (node.overrides?.layers.reversed() ?? []).map { (place: $0.place.text, layer: $0.settings) }
            let source = node.inheritance.source
            layers += tree.rules.layers(at: node.rulePath, over: source != nil)
            // Beyond a link to another origin, settings that don't cross have no effect.
            nearest = node.inheritance.crosses && !Key.crossesOrigins ? nil : source
        }
        return layers
    }
}

extension ResourceNode.Inheritance {
    /// Whether a link on the way led to another origin, so that only what reveals nothing was taken along.
    var crosses: Bool { if case .crossing = self { true } else { false } }

    /// The value that settings come from, instead of the tree.
    var source: ResourceNode? {
        switch self {
        case .tree: nil
        case .value(let source), .crossing(let source, _): source
        }
    }

    /// The settings that go along to an origin.
    fileprivate func crossing(_ settings: SettingsSnapshot, to origin: Origin?) -> SettingsSnapshot {
        guard case .crossing(_, let origins) = self else { return settings }
        return settings.crossing(to: origin, through: origins)
    }
}
