// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Removes this resource's own value of a setting, so that it inherits again.
    public func inherit<Value>(_ setting: WritableKeyPath<Settings, Value>) {
        let keys = Settings.keys(of: setting)
        change { layer in for key in keys { layer.inherit(key) } }
    }

    /// Changes several settings at once; requests see all of the changes or none.
    ///
    /// - Parameters:
    ///   - fileID: The file that ``explain(_:)`` names.
    ///   - line: The line that ``explain(_:)`` names.
    ///   - edit: Makes the changes; called again if another thread changed this resource in the meantime.
    public func configure(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Settings) throws -> Void
    ) rethrows {
        try self.edit(source: SettingSource(fileID: fileID, line: line), edit)
    }

    func edit(source: SettingSource?, _ edit: (inout Settings) throws -> Void) rethrows {
        try change { layer in
            var settings = Settings(layer, over: inherited.values, in: context, owner: self, source: source)
            try edit(&settings)
            layer = settings.layer
        }
    }

    /// This place with settings for one or a few requests; the resource itself is not changed.
    ///
    /// - Parameters:
    ///   - fileID: The file that ``explain(_:)`` names.
    ///   - line: The line that ``explain(_:)`` names.
    ///   - edit: Writes the settings.
    /// - Returns: A resource at the same place.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Settings) throws -> Void
    ) rethrows -> Resource {
        let source = SettingSource(fileID: fileID, line: line)
        var settings = Settings(
            SettingsLayer(),
            over: snapshot.values,
            in: context,
            source: source
        )
        try edit(&settings)
        return Resource(place: place, parent: parent, base: self, layer: settings.layer)
    }

    /// Why a setting has its value: which layers set it and, for `configure` and `with`, on which line.
    public func explain<Value>(_ setting: WritableKeyPath<Settings, Value>) -> SettingExplanation {
        guard let key = Settings.keys(of: setting).first else {
            return SettingExplanation(value: String(describing: settings[keyPath: setting]), contributions: [])
        }
        return explain(key)
    }

    private func explain<Key: SettingKey>(_ key: Key.Type) -> SettingExplanation {
        var contributions: [SettingExplanation.Contribution] = []
        var next: Resource? = self
        while let resource = next {
            if let entry = resource.entry(of: key),
                let setting = entry.value as? LayeredSetting<Key>
            {
                contributions.append(
                    SettingExplanation.Contribution(
                        place: resource.description,
                        value: Key.describe(setting.value),
                        source: entry.source
                    )
                )
            }
            // Beyond a link to another origin, these layers don't count.
            let isCutOff = resource.link?.crossesOrigins == true && !Key.crossesOrigins
            next = isCutOff ? nil : resource.base
        }
        return SettingExplanation(value: Key.describe(snapshot.value(key)), contributions: contributions)
    }
}
