// SPDX-License-Identifier: Apache-2.0

/// A configuration's options for downloads and uploads, which complete those of the command line.
struct TransferSettings: Equatable, Sendable {
    private let settings: [ConfigurationSetting]

    /// Takes a request's applied settings; those for other things have no effect here.
    init(_ applied: [ConfigurationSetting]) { settings = applied }

    /// The options for the speed, completed.
    ///
    /// - Throws: ``UsageMistake`` with the place of a setting that is not valid.
    func completing(_ given: RateOptions) throws(UsageMistake) -> RateOptions {
        var options = given
        if given.limitRate == nil, let setting = setting("limit-rate") {
            options.limitRate = setting.text
            try naming(setting) { () throws(UsageMistake) in _ = try options.bandwidth() }
        }
        if given.minimumRate == nil, let setting = setting("minimum-rate") {
            options.minimumRate = setting.text
            try naming(setting) { () throws(UsageMistake) in _ = try options.minimum() }
        }
        if given.rate == nil, let setting = setting("rate") {
            options.rate = setting.text
            try naming(setting) { () throws(UsageMistake) in _ = try options.rateLimit() }
        }
        return options
    }

    /// A number in a range; `nil` if it isn't set.
    ///
    /// - Throws: ``UsageMistake`` with the setting's place for another number.
    func number(_ name: String, in range: ClosedRange<Int>) throws(UsageMistake) -> Int? {
        guard let setting = setting(name), case .integer(let number) = setting.value.content else { return nil }
        guard let number = Int(exactly: number), range ~= number else {
            throw setting.mistake("\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Whether a flag is set.
    func isOn(_ name: String) -> Bool { setting(name)?.value.content == .boolean(true) }

    private func setting(_ name: String) -> ConfigurationSetting? { settings.first { !$0.isHeader && $0.name == name } }

    private func naming(
        _ setting: ConfigurationSetting,
        _ work: () throws(UsageMistake) -> Void
    ) throws(UsageMistake) {
        do throws(UsageMistake) { try work() } catch { throw setting.mistake(error.reason, hint: error.hint) }
    }
}
