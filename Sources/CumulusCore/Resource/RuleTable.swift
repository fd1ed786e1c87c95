// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

/// The rules of a tree's places, by origin and path.
///
/// A flat table with the depths that occur, not nested branches: a path from outside may have any number of segments. The
/// settings' own code (``SettingKey/combine(inherited:own:)`` and the like) runs outside the lock.
final class RuleTable: Sendable {
    /// The rules of one place.
    fileprivate struct Entry: Sendable {
        var layer = SettingsLayer()
        var limiters = SettingsSnapshot.Limiters()
        /// The rules with those above, as they were at a version.
        var kept: SettingsSnapshot?
        var version: UInt64 = 0
        /// The number of the change that wrote the layer.
        var edition: UInt64 = 0
    }

    fileprivate struct State: Sendable {
        var entries: [[RulePath.Step]: Entry] = [:]
        /// How many places of each depth have rules, by their last segment.
        var names: [Int: [[UInt8]: Int]] = [:]
    }

    private let state = Mutex(State())
    private let changes = Atomic<UInt64>(1)
    private let defaults: SettingsSnapshot
    /// The root's place: its rules reach all places of its origin, also those beside it.
    let root: RulePath

    init(root: RulePath, over defaults: SettingsSnapshot) {
        self.root = root
        self.defaults = defaults
    }

    /// The number of the latest change; never 0.
    var version: UInt64 { changes.load(ordering: .acquiring) }

    /// The rules of a place with all that they inherit, and whether no deeper place of the tree has rules.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - inherited: What they inherit; if `nil`, the rules of the places above.
    ///   - leavesOutOwn: Whether only what the place inherits is wanted.
    /// - Returns: The rules, and whether there are none deeper.
    func resolved(
        at path: RulePath,
        over inherited: SettingsSnapshot? = nil,
        leavesOutOwn: Bool = false
    ) -> (rules: SettingsSnapshot, isDeepest: Bool) {
        let (start, from) = beginning(of: path, over: inherited)
        let isKept = from == 0
        let (version, found, isDeepest) = state.withLock { state in
            (changes.load(ordering: .relaxed), state.entries(to: path, from), state.isDeepest(path))
        }
        var rules = start
        var made: [(path: ArraySlice<RulePath.Step>, SettingsSnapshot)] = []
        for (place, entry) in found where !leavesOutOwn || place.count < path.steps.count {
            if isKept, entry.version == version, let kept = entry.kept {
                rules = kept
                continue
            }
            entry.limiters.follow(entry.layer, over: rules, asOf: version)
            rules = SettingsSnapshot(entry.layer, over: rules, limiters: entry.limiters)
            made.append((place, rules))
        }
        if isKept, !made.isEmpty { keep(made, version) }
        return (rules, isDeepest)
    }

    /// Whether a place of the tree has rules of its own below another one, and deeper than that: for a child that has
    /// the rules of its parent, which is cheaper to find out than its rules.
    ///
    /// - Parameters:
    ///   - segments: The child's segments behind those of its parent.
    ///   - depth: How many steps the parent's place has.
    /// - Returns: Whether no place deeper than the child has rules; `nil` if one of the segments is the last of a place
    ///   with rules, so that the child may have others than its parent.
    func isDeepest(adding segments: [Substring], below depth: Int) -> Bool? {
        let end = depth + segments.count
        return state.withLock { state in
            for (ruled, names) in state.names where ruled > depth && ruled <= end {
                if names[PercentEncoding.decodedBytes(segments[ruled - depth - 1])] != nil { return nil }
            }
            return state.names.keys.allSatisfy { $0 <= end }
        }
    }

    /// The layers that make a place's rules, the nearest first.
    func layers(at path: RulePath, over inherited: Bool = false) -> [(place: String, layer: SettingsLayer)] {
        let isBeside = !inherited && isBesideRoot(path)
        let from = inherited ? 1 : isBeside ? path.common(with: root) + 1 : 0
        let own = state.withLock { $0.entries(to: path, from) }
        return own.reversed().map { (path.text(of: $0.path.count), $0.entry.layer) }
            + (isBeside ? layers(at: root) : [])
    }

    /// The rules that were written at a place itself.
    func layer(at path: RulePath) -> SettingsLayer { entry(at: path).layer }

    private func entry(at path: RulePath) -> Entry { state.withLock { $0.entries[path.steps] } ?? Entry() }

    /// Changes the rules of a place in one step.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - edit: Changes the layer; called again if another thread was faster.
    func change(at path: RulePath, _ edit: (inout SettingsLayer) -> Void) {
        while true {
            let entry = entry(at: path)
            var changed = entry.layer
            edit(&changed)
            let (replaced, version) = state.withLock { state -> (Entry?, UInt64) in
                guard state.entries[path.steps]?.edition ?? 0 == entry.edition else { return (nil, 0) }
                let version = changes.load(ordering: .relaxed) + 1
                let replaced = state.store(changed, at: path.steps, edition: version)
                changes.store(version, ordering: .releasing)
                return (replaced, version)
            }
            guard let replaced else { continue }
            // Those that wait at a limiter that no rule needs any more go on.
            if changed.own(MaxConcurrentRequestsKey.self) ?? 0 <= 0 {
                replaced.limiters.limit?.change(to: 0, asOf: version)
            }
            if changed.rateLimit == nil {
                replaced.limiters.rateLimiter?.change(to: nil, on: SystemClock(), asOf: version)
            }
            // Released here, not under the lock: the `deinit` of a setting's value may run code.
            return withExtendedLifetime((entry, replaced)) {}
        }
    }

    /// What a place's rules begin with, and the first depth whose rules are added.
    private func beginning(
        of path: RulePath,
        over inherited: SettingsSnapshot?
    ) -> (SettingsSnapshot, from: Int) {
        // The rules of the whole tree are in what is inherited.
        if let inherited { return (inherited, 1) }
        return isBesideRoot(path) ? (resolved(at: root).rules, path.common(with: root) + 1) : (defaults, 0)
    }

    /// Whether a place is at the root's origin, but neither at the root nor below it.
    func isBesideRoot(_ path: RulePath) -> Bool {
        root.steps.first != nil && root.steps.first == path.steps.first && path.common(with: root) < root.steps.count
    }

    private func keep(_ made: [(path: ArraySlice<RulePath.Step>, SettingsSnapshot)], _ version: UInt64) {
        let replaced = state.withLock { state -> [SettingsSnapshot] in
            guard changes.load(ordering: .relaxed) == version else { return [] }
            return made.compactMap { path, rules in
                let path = Array(path)
                defer {
                    state.entries[path]?.kept = rules
                    state.entries[path]?.version = version
                }
                return state.entries[path]?.kept
            }
        }
        withExtendedLifetime(replaced) {}
    }
}

extension RuleTable.State {
    /// The entries on the way to a place, from a depth on, the farthest first.
    fileprivate func entries(
        to path: RulePath,
        _ from: Int
    ) -> [(path: ArraySlice<RulePath.Step>, entry: RuleTable.Entry)] {
        names.keys.filter { from...max(from, path.steps.count) ~= $0 }.sorted().compactMap { depth in
            let place = path.steps.prefix(depth)
            return place.count == depth ? entries[Array(place)].map { (place, $0) } : nil
        }
    }

    /// Whether no rule is deeper than a place.
    fileprivate func isDeepest(_ path: RulePath) -> Bool { names.keys.allSatisfy { $0 <= path.steps.count } }

    /// Stores the rules of a place, with the limiters that they need; a place without rules leaves nothing.
    ///
    /// - Returns: What was there before.
    fileprivate mutating func store(
        _ layer: SettingsLayer,
        at path: [RulePath.Step],
        edition: UInt64
    ) -> RuleTable.Entry {
        let replaced = entries[path]
        let old = replaced ?? RuleTable.Entry()
        guard !layer.isEmpty else {
            if replaced != nil { remove(path) }
            return old
        }
        if replaced == nil { names[path.count, default: [:]][RulePath.name(of: path), default: 0] += 1 }
        var entry = RuleTable.Entry(layer: layer, edition: edition)
        entry.limiters.limit =
            layer.own(MaxConcurrentRequestsKey.self) ?? 0 > 0 ? old.limiters.limit ?? ConcurrencyLimiter() : nil
        entry.limiters.rateLimiter = layer.rateLimit != nil ? old.limiters.rateLimiter ?? RateLimiter() : nil
        entries[path] = entry
        return old
    }

    private mutating func remove(_ path: [RulePath.Step]) {
        entries[path] = nil
        let name = RulePath.name(of: path)
        let left = names[path.count]?[name] ?? 1
        names[path.count]?[name] = left > 1 ? left - 1 : nil
        if names[path.count]?.isEmpty == true { names[path.count] = nil }
        // A table keeps the memory of the most that it has ever held.
        if entries.capacity > 64, entries.count < entries.capacity / 4 { entries = entries.filter { _ in true } }
    }
}

extension SettingsSnapshot.Limiters {
    /// Gives the limiters what their place's rules say.
    fileprivate func follow(_ layer: SettingsLayer, over inherited: SettingsSnapshot, asOf version: UInt64) {
        limit?.change(to: max(0, layer.own(MaxConcurrentRequestsKey.self) ?? 0), asOf: version)
        // An inherited rate limit has its own limiter.
        rateLimiter?.change(
            to: layer.own(RateLimitKey.self) ?? nil,
            on: layer.own(ClockKey.self) ?? inherited.value(ClockKey.self),
            asOf: version
        )
    }
}
