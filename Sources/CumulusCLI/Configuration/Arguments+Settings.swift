// SPDX-License-Identifier: Apache-2.0

/// Arguments completed by the settings of a configuration; the command line's own always take precedence.
extension Arguments {
    /// Applies a setting, unless the command line or a setting with a higher precedence has decided about it.
    ///
    /// - Throws: ``UsageMistake`` with the place of a value that the option doesn't take.
    mutating func apply(_ setting: ConfigurationSetting) throws(UsageMistake) {
        guard let option = setting.option, !isDecided(option) else { return }
        if setting.value.content != .boolean(false), let other = settings.first(where: { $0.excludes(setting) }) {
            guard other.file == setting.file, other.block == setting.block else { return }
            throw setting.mistake("\(setting.name) and \(other.name) can't be combined")
        }
        guard !given.contains(where: { $0.option === option }) else { return }
        append(option, try setting.value(of: option), from: setting)
    }

    /// Whether the command line has an option, or one that says the same thing.
    private func isDecided(_ option: OptionRow) -> Bool {
        given.contains { argument in
            argument.source == .user
                && (argument.option === option || option.relatives.contains(argument.option.name))
        }
    }

    /// Returns the result of work with these arguments; a mistake that a setting causes is thrown with its place.
    ///
    /// The setting is that of the mistake's option, or else the first one without which the mistake does not occur.
    func locatingMistakes<Result>(
        _ work: (Arguments) throws(UsageMistake) -> Result
    ) throws(UsageMistake) -> Result {
        do {
            return try work(self)
        } catch {
            let setting =
                settings.first { "--\($0.name)" == error.option }
                ?? settings.first { setting in
                    var others = self
                    others.remove(setting.name)
                    do throws(UsageMistake) {
                        _ = try work(others)
                        return true
                    } catch let other {
                        return other != error
                    }
                }
            guard let setting else { throw error }
            throw setting.mistake(error.reason, hint: error.hint)
        }
    }

    /// A mistake about an option, with the place of the setting that it comes from.
    func mistake<Value>(
        _ path: KeyPath<OptionTable, Option<Value>>,
        _ reason: String,
        hint: String? = nil
    ) -> UsageMistake {
        let reason = "--\(OptionTable.all[keyPath: path].name) \(reason)"
        guard case .setting(let setting) = source(of: path) else { return UsageMistake(reason, hint: hint) }
        return setting.mistake(reason, hint: hint)
    }

    /// Whether the value of an option comes from a trusted folder's file.
    func isOfFolder<Value>(_ path: KeyPath<OptionTable, Option<Value>>) -> Bool {
        if case .setting(let setting) = source(of: path) { setting.isOfFolder } else { false }
    }
}

extension ConfigurationSetting {
    /// The row of the option that it sets; `nil` for a header field.
    var option: OptionRow? {
        isHeader ? nil : OptionTable.rows.first { $0.isSetting && $0.name == name }
    }

    /// Whether it is in the file of the working folder.
    var isOfFolder: Bool { PathName.last(of: file) == ConfigurationLookup.folderFile }

    /// Its value as that of an option.
    ///
    /// - Throws: ``UsageMistake`` for a value that the option doesn't take.
    fileprivate func value(of option: OptionRow) throws(UsageMistake) -> OptionValue {
        switch value.content {
        // As on the command line: yes or no.
        case .boolean(let isOn): return option.kind == .flag ? .flag(isOn) : .text(isOn ? "yes" : "no")
        case .string(let text):
            do throws(UsageMistake) {
                return try option.value(text)
            } catch {
                throw mistake(error.reason, hint: error.hint)
            }
        case .integer(let number): return try value(of: option, Double(number))
        case .float(let number): return try value(of: option, number)
        case .array(let elements):
            return .list(elements.compactMap { if case .string(let text) = $0.content { text } else { nil } })
        // `ConfigurationKey` has refused them.
        case .date, .table: throw mistake("\(name) can't be \(value.kind)")
        }
    }

    private func value(of option: OptionRow, _ number: Double) throws(UsageMistake) -> OptionValue {
        if let value = option.value(number) { return value }
        do throws(UsageMistake) {
            return try option.value(Int(exactly: number).map(String.init) ?? "\(number)")
        } catch {
            throw mistake(error.reason, hint: error.hint)
        }
    }
}
