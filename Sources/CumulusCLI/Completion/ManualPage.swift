// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The manual page in man(7)'s macros, from the same texts as `--help`.
enum ManualPage {
    /// The page, with a section for each command that has options.
    static var text: String {
        var lines = [
            ".\\\" Written by: cumulus completions man",
            ".TH CUMULUS 1 \"\" \"\(escaped(Invocation.version))\" \"User Commands\"",
            ".SH NAME", "cumulus \\- send HTTP requests, download and upload files",
            ".SH SYNOPSIS",
        ]
        let synopses = [
            "[METHOD] URL [URL ...] [ITEM ...] [options]", "download URL [URL ...] [options]",
            "upload FILE URL [options]", "events [METHOD] URL [ITEM ...] [options]",
            "call SERVICE ENDPOINT [ITEM ...] [options]", "\(ServicesCommand.synopsis) [NAME|FILE|URL]",
            "edit URL [ITEM ...] [options]", "curl [--explain] CURL-COMMAND", "login URL --issuer URL --client ID",
            SessionsPlan.synopsis, "COMMAND --help",
        ]
        for synopsis in synopses { lines += [".B cumulus", escaped(synopsis), ".br"] }
        for topic in HelpTopic.commands { lines += page(of: topic) }
        for topic in HelpTopic.subjects { lines += topic.ownSections.flatMap { self.lines($0, ".SH") } }
        let ends = HelpTopic.commands.flatMap(\.behind).filter { $0.title == HelpTexts.examples.title }
        lines += self.lines(HelpSection(title: HelpTexts.examples.title, rows: ends.flatMap(\.rows)), ".SH")
        for section in [HelpTexts.exitCodes, HelpTexts.environment] { lines += self.lines(section, ".SH") }
        return lines.joined(separator: "\n")
    }

    /// A command's texts and the options that no command before it has; shared groups follow those of a request.
    private static func page(of topic: HelpTopic) -> [String] {
        guard let command = topic.command else { return [] }
        let isMain = command == .request
        var lines: [String] = []
        if !isMain { lines.append(".SH CUMULUS \(escaped(topic.name.uppercased()))") }
        for section in topic.before { lines += self.lines(section, isMain ? ".SH" : ".SS") }
        for group in OptionRow.Group.allCases {
            let rows = OptionTable.rows.filter { $0.group == group && owner(of: $0) == command }
            if rows.isEmpty { continue }
            lines.append("\(isMain ? ".SH" : ".SS") \(escaped(group.rawValue.uppercased()))")
            lines += rows.flatMap { row in
                let names = row.spellings.joined(separator: ", ") + (row.valueName.map { " <\($0)>" } ?? "")
                return [".TP", ".B \(quoted(names))", escaped(row.help(in: command))]
            }
        }
        return lines
    }

    /// The command under which an option is printed: the first one that has it.
    private static func owner(of row: OptionRow) -> Subcommand? {
        Subcommand.allCases.first(where: row.commands.contains)
    }

    private static func lines(_ section: HelpSection, _ heading: String) -> [String] {
        // The page's first section has no title of its own.
        var lines =
            section.title.isEmpty
            ? [heading == ".SH" ? ".SH DESCRIPTION" : ".PP"] : ["\(heading) \(escaped(section.title))"]
        for paragraph in section.paragraphs { lines += [".PP", escaped(paragraph)] }
        for row in section.rows { lines += [".TP", ".B \(quoted(row.name))", escaped(row.text)] }
        return lines
    }

    /// An argument of a macro.
    private static func quoted(_ text: String) -> String {
        "\"\(escaped(text).parts(at: "\"").joined(separator: "\\(dq"))\""
    }

    /// Text in which troff sees no requests.
    private static func escaped(_ text: String) -> String {
        let text = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            default: String(scalar)
            }
        }.joined()
        return text.utf8.first == UInt8(ascii: ".") ? "\\&" + text : text
    }
}
