// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CumulusCore
import CumulusPrimitives

/// A page of `--help` and `cumulus help`.
struct HelpPage {
    /// Narrower terminals wrap lines themselves; wider text is tiring to read.
    private static let widths = 40...100

    let topic: HelpTopic
    private let width: Int

    init(_ topic: HelpTopic, columns: Int) {
        self.topic = topic
        width = min(max(columns, HelpPage.widths.lowerBound), HelpPage.widths.upperBound)
    }

    var text: String {
        var blocks = topic.sections.before.map { $0.lines(width: width).joined(separator: "\n") }
        if let options { blocks.append(options) }
        blocks += topic.sections.behind.map { $0.lines(width: width).joined(separator: "\n") }
        return blocks.joined(separator: "\n\n")
    }

    /// ArgumentParser's listing of the options, without the overview and usage.
    private var options: String? {
        guard let command = topic.command else { return nil }
        let message = command.helpMessage(columns: width)
        let lines = message.parts(at: "\n")
        let start = lines.firstIndex { line in
            line.ends(with: ":") && line.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } == true
        }
        guard let start else { return nil }
        let (long, both) = ("  --help    ", "  -h, --help")
        var shown = lines[start...].map { text in
            // ArgumentParser doesn't know it: `Invocation` reads -h itself.
            let hasShort = !topic.printsResponse && text.begins(with: long)
            let whole = hasShort ? "\(both)\(text.dropFirst(long.utf8.count))" : text
            var line = whole[...]
            while line.utf8.last == 0x20 { line = line.dropLast() }
            return line.utf8.first == 0x20 || !line.ends(with: ":") ? String(line) : String(line.dropLast())
        }
        while shown.last?.isEmpty == true { shown.removeLast() }
        return shown.joined(separator: "\n")
    }
}
