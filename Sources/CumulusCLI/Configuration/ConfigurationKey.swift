// SPDX-License-Identifier: Apache-2.0

/// The options that a configuration may set, under their long names: the rows of the table that say so.
enum ConfigurationKey {
    /// The names, sorted.
    static var names: [String] { OptionTable.rows.filter(\.isSetting).map(\.name).sorted() }

    /// Checks that an option exists, that its value has the right type, and that it may be in this place.
    static func check(_ setting: ConfigurationSetting) throws(UsageMistake) {
        guard let option = setting.option else {
            let similar = SimilarName.of(setting.name, among: names)
            throw setting.mistake(
                "\(quoted(setting.name)) is not an option that a configuration can set",
                hint: similar.map { "did you mean \($0)?" } ?? "cumulus help config lists the options"
            )
        }
        guard fits(setting.value.content, option) else {
            let given = option.kind == .seconds ? setting.text.map { quoted($0) } : nil
            throw setting.mistake("\(setting.name) takes \(option.kind.inWords), not \(given ?? setting.value.kind)")
        }
        if setting.isOfHost, let refusal = option.hostRefusal {
            throw setting.mistake(refusal.reason, hint: refusal.hint)
        }
    }

    private static func fits(_ content: TOMLValue.Content, _ option: OptionRow) -> Bool {
        switch (option.kind, content) {
        case (.flag, .boolean), (.text, .string), (.textOrBoolean, .string), (.textOrBoolean, .boolean),
            (.choice, .string), (.list, .string), (.integer, .integer), (.seconds, .integer), (.seconds, .float):
            true
        case (.seconds, .string(let text)): OptionRow.seconds(text) != nil
        case (.list, .array(let elements)):
            elements.allSatisfy { if case .string = $0.content { true } else { false } }
        default: false
        }
    }
}

extension OptionRow.Kind {
    /// The type of a setting, in words.
    fileprivate var inWords: String {
        switch self {
        case .flag, .count: "true or false"
        case .text, .choice: "a string"
        case .textOrBoolean: "a string, true or false"
        case .seconds: "seconds, such as 10 or \"500ms\""
        case .integer: "a whole number"
        case .list: "a string or a list of strings"
        }
    }
}
