// SPDX-License-Identifier: Apache-2.0

/// The difference between two texts, line by line, with the lines around it.
struct LineDifference {
    /// How many lines are shown around a change.
    private static let context = 3
    /// The limit for comparing, whose time grows with the product of both lengths.
    private static let mostLines = 5_000

    private enum Line {
        case same(String)
        case removed(String)
        case added(String)

        var isSame: Bool {
            if case .same = self { true } else { false }
        }

        /// The line as it is shown: a server's text must not control the terminal.
        var text: String {
            switch self {
            case .same(let text): "  " + TerminalText.harmless(text, keepsLines: false)
            case .removed(let text): "- " + TerminalText.harmless(text, keepsLines: false)
            case .added(let text): "+ " + TerminalText.harmless(text, keepsLines: false)
            }
        }
    }

    private let lines: [Line]

    init(from old: String, to new: String) {
        let olds: [String] = old.parts(at: "\n")
        let news: [String] = new.parts(at: "\n")
        guard max(olds.count, news.count) <= LineDifference.mostLines else {
            lines = [.removed("\(olds.count) lines"), .added("\(news.count) lines")]
            return
        }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in news.difference(from: olds) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (from, to) = (0, 0)
        while from < olds.count || to < news.count {
            if removed.contains(from) {
                lines.append(.removed(olds[from]))
                from += 1
            } else if inserted.contains(to) {
                lines.append(.added(news[to]))
                to += 1
            } else {
                lines.append(.same(olds[from]))
                (from, to) = (from + 1, to + 1)
            }
        }
        self.lines = lines
    }

    /// The lines to show; omitted lines between them become an ellipsis.
    var shown: [String] {
        let changes = lines.indices.filter { !lines[$0].isSame }
        var shown: [String] = []
        var next = 0
        for change in changes {
            let start = max(next, change - LineDifference.context)
            if start > next { shown.append("  ...") }
            let end = min(lines.count, change + LineDifference.context + 1)
            if start < end { shown += lines[start..<end].map(\.text) }
            next = max(next, end)
        }
        if next < lines.count, !changes.isEmpty { shown.append("  ...") }
        return shown
    }
}
