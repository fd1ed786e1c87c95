// SPDX-License-Identifier: Apache-2.0

import Logging

extension Resource {
    /// The current effective settings; changes to the copy don't affect the resource.
    public var settings: Settings { Settings(over: snapshot.values, in: context) }

    /// The effective value of a setting, by name.
    ///
    /// To change it, use ``setRules(fileID:line:_:)`` for this place, or ``with(fileID:line:_:)`` for a copy.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<Resource.Settings, Value>) -> Value {
        get { settings[keyPath: setting] }
        @available(
            *,
            unavailable,
            message:
                "settings are written in `setRules { }` (this place and all below it, for everyone) or in `with { }` (a copy of this value)"
        )
        nonmutating set {}
    }

    /// The clock of this resource's calls, for your own hooks and waits as well; it is set as a rule of the place
    /// (``Rules/clock``).
    public var clock: any RequestClock { snapshot.value(ClockKey.self) }

    /// Changes the rules of this place in one step, for every resource at or below it and every user of the tree.
    ///
    /// Requests that start later see all of the changes; a changed limit also applies to requests that are waiting for
    /// it. A copy that ``with(fileID:line:_:)`` made can't change them, since it usually belongs to one user: `edit`
    /// isn't called, and all later requests of the copy throw ``CumulusError/Code/invalidRequest``; the error names
    /// both lines of code.
    ///
    /// - Parameters:
    ///   - fileID: The file that ``explain(_:)`` names.
    ///   - line: The line that ``explain(_:)`` names.
    ///   - edit: Changes the rules. It is called once, and reads the place's rules without overrides.
    public func setRules(fileID: StaticString = #fileID, line: UInt = #line, _ edit: (inout Rules) -> Void) {
        let source = SettingSource(fileID: fileID, line: line)
        if let copy = node.copy {
            copy.refuseRules(at: source)
            if let refusal = copy.refusal {
                let logger = snapshot.value(LoggerKey.self)
                // Later requests of the copy throw it.
                logger?.debug("Rules can't be set on a copy", metadata: ["error.message": "\(refusal)"])
            }
            return
        }
        setPlaceRules(source, edit)
    }

    /// Changes the rules of this place, also from a user's copy: for limits that are facts about the place.
    package func setPlaceRules(_ edit: (inout Rules) -> Void) {
        setPlaceRules(SettingSource(fileID: #fileID, line: #line), edit)
    }

    private func setPlaceRules(_ source: SettingSource, _ edit: (inout Rules) -> Void) {
        change(source: source) { settings in
            var rules = Rules(settings: settings)
            edit(&rules)
            settings = rules.settings
        }
    }

    /// Returns a copy with its own settings, which apply only to the copy and to values made from it, such as its children.
    ///
    /// ``cancelAll()``, ``runningCalls`` and ``waitUntilIdle()`` of the copy apply only to calls that are made from it.
    ///
    /// - Parameters:
    ///   - fileID: The file that ``explain(_:)`` names.
    ///   - line: The line that ``explain(_:)`` names.
    ///   - edit: Changes the settings.
    /// - Returns: A resource at the same place.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Settings) -> Void
    ) -> Resource {
        let source = SettingSource(fileID: fileID, line: line)
        var settings = Settings(over: snapshot.values, in: context, source: source)
        edit(&settings)
        return Resource(node.overriding(with: settings.layer, copy: ResourceCopy(source: source)))
    }

    /// The same place with settings that describe it, whose rules can be written as before.
    ///
    /// - Parameter edit: Changes the settings.
    /// - Returns: A resource at the same place, which isn't a copy for a user.
    package func described(by edit: (inout Resource.Settings) -> Void) -> Resource {
        var settings = Settings(over: snapshot.values, in: context, source: SettingSource(fileID: #fileID, line: #line))
        edit(&settings)
        return Resource(node.overriding(with: settings.layer))
    }

    /// Returns the explanation of a setting's value: the rules and overrides that contribute to it, nearest first, with
    /// the lines of code that set them.
    public func explain<Value>(_ setting: WritableKeyPath<Rules, Value>) -> SettingExplanation {
        guard let key = Rules.keys(of: setting).first else {
            let value = Rules(settings: settings)[keyPath: setting]
            return SettingExplanation(value: String(describing: value), contributions: [])
        }
        return explain(key)
    }

    /// Whether this place itself has a rule for a setting, regardless of the places above it.
    public func hasRule<Value>(for setting: WritableKeyPath<Rules, Value>) -> Bool {
        let own = tree.rules.layer(at: node.rulePath)
        return Rules.keys(of: setting).contains { own.entries[ObjectIdentifier($0)] != nil }
    }

    /// Changes the rules of this place by a closure that runs once, outside the lock.
    func change(source: SettingSource?, _ edit: (inout Resource.Settings) -> Void) {
        guard node.hasRules else { return }
        let rules = tree.rules
        let path = node.rulePath
        var settings = Settings(
            rules.layer(at: path),
            over: node.rulesAbove.values,
            in: context,
            source: source,
            recordsWrites: true
        )
        edit(&settings)
        guard !settings.writes.isEmpty else { return }
        rules.change(at: path) { layer in for write in settings.writes { write(&layer) } }
        // The place's limiters follow at once, for those that wait.
        _ = node.rules
    }

    var context: LayerContext { LayerContext(place) }

    private func explain<Key: SettingKey>(_ key: Key.Type) -> SettingExplanation {
        let contributions = node.layers(of: key).compactMap { place, layer -> SettingExplanation.Contribution? in
            guard let entry = layer.entries[ObjectIdentifier(key)], let own = layer.own(key) else { return nil }
            return .init(place: place, value: Key.describe(own), source: entry.source)
        }
        return SettingExplanation(value: Key.describe(snapshot.value(key)), contributions: contributions)
    }
}
