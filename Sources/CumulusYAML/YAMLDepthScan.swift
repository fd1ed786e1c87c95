// SPDX-License-Identifier: Apache-2.0

/// Checks a text before Yams parses it, which uses stack for each level, and may compare keys as a whole.
///
/// It sees bytes, not tokens: brackets in texts and comments also count. Its limits are far above what people write.
struct YAMLDepthScan {
    private static let most = 512
    /// With this many aliases, a key is at most 18 times as large as its text (three levels of two or three).
    private static let harmlessAliases = 8
    /// The columns at which the open lines begin.
    private var columns: [Int] = []
    private var brackets = 0
    private var anchors: Set<[UInt8]> = []
    private var aliases = 0
    private var flow = YAMLFlowScan()
    private var hasCollectionAsKey = false

    /// Refuses a text that could exhaust the stack, or take very long because keys consist of aliases.
    static func check(_ text: String) throws(YAMLProblem) {
        var scan = YAMLDepthScan()
        for line in Array(text.utf8).split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            try scan.read(line)
        }
        if scan.aliases > harmlessAliases, scan.hasCollectionAsKey || scan.flow.hasKey {
            throw YAMLProblem("a key is not a scalar, in YAML with aliases")
        }
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(YAMLProblem) {
        let column = line.prefix { $0 == UInt8(ascii: " ") }.count
        let rest = line.dropFirst(column)
        if rest.isEmpty { return }
        while let last = columns.last, last > column { columns.removeLast() }
        if columns.last != column { columns.append(column) }
        // `- - - a` and `? ? a` nest within a line.
        let marks = rest.prefix { " -?:".utf8.contains($0) }.count { $0 != UInt8(ascii: " ") }
        if rest.first == UInt8(ascii: "?") || rest.starts(with: "- ?".utf8) { hasCollectionAsKey = true }
        try readInside(rest, depth: columns.count * 2 + marks)
        flow.read(rest)
    }

    private mutating func readInside(_ line: ArraySlice<UInt8>, depth: Int) throws(YAMLProblem) {
        var before = UInt8(ascii: " ")
        for (index, byte) in zip(line.indices, line) {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
            case UInt8(ascii: "&") where " \t[{,:-?".utf8.contains(before):
                let name = YAMLDepthScan.name(in: line[(index + 1)...])
                if !name.isEmpty { anchors.insert(Array(name)) }
            case UInt8(ascii: "*") where " \t[{,:-?".utf8.contains(before):
                // An alias comes after its anchor; anything else is prose, such as `**bold**`.
                let name = YAMLDepthScan.name(in: line[(index + 1)...])
                guard anchors.contains(Array(name)) else { break }
                aliases += 1
                let next = line[name.endIndex...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                if next == UInt8(ascii: ":") { hasCollectionAsKey = true }
            default: break
            }
            before = byte
            if depth + brackets > YAMLDepthScan.most {
                throw YAMLProblem("the YAML is nested deeper than \(YAMLDepthScan.most) levels")
            }
        }
    }

    /// The name of an anchor, by libyaml's rules.
    private static func name(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}
