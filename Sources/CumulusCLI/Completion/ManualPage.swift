// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
            "upload FILE URL [options]", "events [METHOD] URL [ITEM ...] [options]", "COMMAND --help",
        ]
        for synopsis in synopses { lines += [".B cumulus", escaped(synopsis), ".br"] }
        for topic in HelpTopic.allCases where topic.command != nil {
            let isMain = topic == .request
            if !isMain { lines.append(".SH CUMULUS \(escaped(topic.rawValue.uppercased()))") }
            for section in topic.sections.before { lines += self.lines(section, isMain ? ".SH" : ".SS") }
            if let command = topic.command { lines += options(command, isMain ? ".SH" : ".SS") }
        }
        let ends = [HelpTexts.examples, HelpTexts.downloadExamples, HelpTexts.exitCodes, HelpTexts.environment]
        for section in ends { lines += self.lines(section, ".SH") }
        return lines.joined(separator: "\n")
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

    private static func options(_ command: any ParsableCommand.Type, _ heading: String) -> [String] {
        OptionListing(command).groups.flatMap { group in
            ["\(heading) \(escaped(group.title.uppercased()))"]
                + group.options.flatMap { option in
                    let value = option.value.map { " <\($0)>" } ?? ""
                    return [".TP", ".B \(quoted(option.names.joined(separator: ", ") + value))", escaped(option.text)]
                }
        }
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
