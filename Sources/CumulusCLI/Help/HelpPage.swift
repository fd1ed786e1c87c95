// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A page of `--help` and `cumulus help`.
struct HelpPage {
    /// Narrower terminals wrap lines themselves; wider text is tiring to read.
    private static let widths = 40...100

    private let sections: [HelpSection]
    private let width: Int

    init(_ topic: HelpTopic, columns: Int) {
        // A command's own options come right after its usage; a request's items come before them.
        let first = topic.before.prefix { section in
            topic.command == .request || topic.command == nil || section.title.isEmpty || section.title == "USAGE"
        }
        sections = first + HelpPage.options(of: topic) + topic.before.dropFirst(first.count) + topic.behind
        width = min(max(columns, HelpPage.widths.lowerBound), HelpPage.widths.upperBound)
    }

    /// The page of `cumulus --help`, which has at most 45 lines.
    init(overviewFor columns: Int) {
        sections = HelpTexts.overview
        width = min(max(columns, HelpPage.widths.lowerBound), HelpPage.widths.upperBound)
    }

    var text: String {
        sections.map { $0.lines(width: width).joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static func options(of topic: HelpTopic) -> [HelpSection] {
        var sections = topic.groups.map { title, rows in
            HelpSection(title: title.uppercased(), rows: rows.map { row($0, in: topic.command) })
        }
        guard let command = topic.command else { return sections }
        let letters = command.printsResponse ? "" : "-h, "
        let help = HelpSection.Row(command.printsResponse ? "    --help" : "\(letters)--help", "Show this page.")
        if let first = sections.firstIndex(where: { $0.title == OptionRow.Group.own.rawValue.uppercased() }) {
            sections[first].rows.append(help)
        } else {
            sections.insert(HelpSection(title: OptionRow.Group.own.rawValue.uppercased(), rows: [help]), at: 0)
        }
        if !topic.sharedGroups.isEmpty { sections.append(shared(topic.sharedGroups)) }
        return sections
    }

    /// A row of the listing: `-a, --auth <user:pass>  Credentials`.
    static func row(_ option: OptionRow, in command: Subcommand?) -> HelpSection.Row {
        let value = option.valueName.map { " <\($0)>" } ?? ""
        let names = (option.letter == nil ? "    " : "") + option.spellings.joined(separator: ", ")
        return (names + value, command.map(option.help(in:)) ?? option.help)
    }

    /// One section for the options that many commands share.
    private static func shared(_ groups: [OptionRow.Group]) -> HelpSection {
        let shown = groups.map { group in
            "\(group.examples.joined(separator: ", ")), ...: cumulus help \(group.topic)."
        }
        return HelpSection(title: "SHARED OPTIONS", paragraphs: shown)
    }
}

extension OptionRow.Group {
    /// The best known options of the group, with their dashes.
    var examples: [String] {
        OptionTable.rows.filter { $0.group == self && $0.roles.contains(.wellKnown) }.map { "--\($0.name)" }
    }

    /// The topic of help that lists the group's options.
    var topic: String {
        switch self {
        case .own, .request: "request"
        case .authorization: "auth"
        case .session: "session"
        case .connection: "connection"
        case .output: "output"
        }
    }
}
