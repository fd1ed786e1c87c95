// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Rows of texts below a header, each column as wide as its widest text.
struct TextTable {
    /// The maximum width that one long text gives its column.
    private static let widest = 40

    private let rows: [[String]]

    init(_ head: [String], _ rows: [[String]]) {
        self.rows = [head] + rows.map { $0.map { PeerText.printable($0) } }
    }

    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            let all = rows.compactMap { $0.count > column ? $0[column].unicodeScalars.count : nil }
            return min(TextTable.widest, all.max() ?? 0)
        }
        return rows.map { row in
            var line = ""
            for (index, text) in row.enumerated() {
                line += text
                guard row[(index + 1)...].contains(where: { !$0.isEmpty }) else { break }
                line += String(repeating: " ", count: max(0, widths[index] - text.unicodeScalars.count) + 2)
            }
            return line
        }.joined(separator: "\n")
    }
}
