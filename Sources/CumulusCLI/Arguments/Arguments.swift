// SPDX-License-Identifier: Apache-2.0

/// The words and options of a command line, and the options that a configuration adds.
@dynamicMemberLookup
struct Arguments: Sendable {
    /// The origin of an argument.
    enum Source: Equatable, Sendable {
        /// The command line, or the command itself.
        case user
        /// A setting of a configuration file, which may be a trusted folder's, and may be in a profile.
        case setting(ConfigurationSetting)
    }

    /// An option with its value.
    struct Argument: Sendable {
        let option: OptionRow
        var value: OptionValue
        let source: Source

        /// The setting that it comes from; `nil` for the user's own.
        var setting: ConfigurationSetting? { if case .setting(let setting) = source { setting } else { nil } }
    }

    let command: Subcommand
    /// The words that are neither options nor their values.
    var words: [String]
    /// The options, in the order in which they were written.
    private(set) var given: [Argument] = []

    init(_ command: Subcommand = .request, words: [String] = []) {
        self.command = command
        self.words = words
    }

    /// The value of an option; setting it counts as the user's choice.
    subscript<Value>(dynamicMember path: KeyPath<OptionTable, Option<Value>>) -> Value {
        get {
            let option = OptionTable.all[keyPath: path]
            return option.type.read(given.first { $0.option === option }?.value)
        }
        set {
            let option = OptionTable.all[keyPath: path]
            remove(option.name)
            if let value = option.type.write(newValue) { put(option, value) }
        }
    }

    /// The settings of configuration files among the options, in the order of their precedence.
    var settings: [ConfigurationSetting] { given.compactMap(\.setting) }

    /// The source of an option; `nil` if it is not set.
    func source<Value>(of path: KeyPath<OptionTable, Option<Value>>) -> Source? {
        let option = OptionTable.all[keyPath: path]
        return given.first { $0.option === option }?.source
    }

    /// The mistake for a missing URL, which may have become the value of an option.
    func missingURL(_ usage: String) -> UsageMistake {
        let taker = given.last { argument in
            guard case .text(let text) = argument.value, argument.option.valueName != "url" else { return false }
            return argument.source == .user && URLShorthand.isAnotherURL(text)
        }
        if let taker { return UsageMistake("missing URL", hint: "--\(taker.option.name) took the URL as its value") }
        let other = given.last { $0.source == .user && $0.option.valueName == "url" }
        return UsageMistake(
            "missing URL",
            hint: other.map { "the only URL is the value of --\($0.option.name): \(usage)" } ?? usage
        )
    }

    /// Whether a word may belong to an option's secret that contains a space without quotes.
    var mayContinueSecret: Bool {
        given.contains { argument in
            guard argument.source == .user, let secret = argument.option.secret else { return false }
            guard case .text(let text) = argument.value, secret != .url else { return false }
            return !SecretWord.isElsewhere(text.split(at: ":")?.behind ?? text) && !SecretWord.isElsewhere(text)
        } || self.authType != nil && self.auth == nil
    }

    /// A word as a message shows it: one that may belong to a secret is not quoted.
    func shown(_ word: String) -> String { mayContinueSecret ? "a word" : quotedURL(word) }

    /// The arguments with only the options of some groups.
    func only(_ groups: OptionRow.Group...) -> Arguments {
        var arguments = self
        arguments.given.removeAll { !groups.contains($0.option.group) }
        return arguments
    }

    mutating func remove(_ name: String) { given.removeAll { $0.option.name == name } }

    /// Adds the option of a setting, which is not set yet.
    mutating func append(_ option: OptionRow, _ value: OptionValue, from setting: ConfigurationSetting) {
        given.append(Argument(option: option, value: value, source: .setting(setting)))
    }

    /// Adds an option of the command line; a list or a count grows.
    mutating func put(_ option: OptionRow, _ value: OptionValue) {
        if option.replacesRelatives { for name in option.relatives { remove(name) } }
        guard let index = given.firstIndex(where: { $0.option === option }) else {
            return given.append(Argument(option: option, value: value, source: .user))
        }
        switch (given[index].value, value) {
        case (.list(let texts), .list(let more)): given[index].value = .list(texts + more)
        case (.count(let count), .count(let more)): given[index].value = .count(count + more)
        default: given[index].value = value
        }
    }
}
