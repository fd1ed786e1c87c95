// SPDX-License-Identifier: Apache-2.0

/// A topic of `cumulus help TOPIC`: a command, or a subject.
struct HelpTopic: Sendable {
    /// The name, in lower case.
    let name: String
    /// Other words that users look for.
    var synonyms: [String] = []
    /// The command that the page is about; its own options are all listed.
    var command: Subcommand?
    /// The options that a subject's page lists.
    var options: [OptionRow] = []
    /// The sections before the options.
    var before: [HelpSection] = []
    /// The sections after the options.
    var behind: [HelpSection] = []

    /// Finds a topic by its name or a synonym, in any case, with any dashes.
    ///
    /// - Throws: ``UsageMistake`` with the nearest name.
    static func named(_ name: String) throws(UsageMistake) -> HelpTopic {
        let word = name.lowercased()
        let topic = all.first { $0.name == word } ?? all.first { $0.synonyms.contains(word) }
        if let topic { return topic }
        if let option = OptionTable.rows.first(where: { "--\($0.name)" == word || $0.name == word }) {
            return HelpTopic(name: option.name, options: [option])
        }
        let similar = SimilarName.of(word, among: all.flatMap { [$0.name] + $0.synonyms })
        throw UsageMistake(
            "no help is available on \(quotedURL(name))",
            hint: similar.map { "did you mean cumulus help \($0)?" } ?? "topics: \(names.joined(separator: ", "))"
        )
    }

    /// The page of a command.
    static func of(_ command: Subcommand) -> HelpTopic {
        commands.first { $0.command == command } ?? HelpTopic(name: command.rawValue, command: command)
    }

    static let all = commands + subjects
    static var names: [String] { all.map(\.name) }

    /// The rows that the page lists, by the titles of their groups.
    var groups: [(title: String, rows: [OptionRow])] {
        guard let command else {
            return options.isEmpty ? [] : [("Options", options)]
        }
        return OptionRow.Group.allCases.filter { !sharedGroups.contains($0) }.compactMap { group in
            let rows = OptionTable.rows.filter { $0.group == group && $0.commands.contains(command) }
            return rows.isEmpty ? nil : (group.rawValue, rows)
        }
    }

    /// The sections that no command's page has.
    var ownSections: [HelpSection] {
        let others = Set(HelpTopic.commands.flatMap { $0.before + $0.behind }.map(\.title))
        return before.filter { !others.contains($0.title) }
    }

    /// The groups of options that many commands share, which the command's page only names.
    var sharedGroups: [OptionRow.Group] {
        guard let command else { return [] }
        return OptionRow.Group.allCases.filter { $0.isShared && $0.commands.contains(command) }
    }
}
