// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import Yams

extension JSON {
    /// Parses one YAML document as the JSON value that it represents, by the core schema of YAML 1.2.
    ///
    /// Only these plain scalars are not text: `null` and `~`, `true` and `false`, and numbers; `yes`, `no`, `on` and
    /// dates are text. Keys are text. Aliases are resolved, except for merges (`<<`).
    ///
    /// - Parameters:
    ///   - text: The text, up to 16 MiB.
    ///   - maximumDepth: How deep lists and maps may be nested, with aliases resolved.
    ///   - maximumCount: How many values there may be, with aliases resolved, so that a short text can't become a huge
    ///     value.
    /// - Throws: ``YAMLProblem``.
    public init(
        parsingYAML text: String,
        maximumDepth: Int = 128,
        maximumCount: Int = 1_000_000
    ) throws(YAMLProblem) {
        guard text.utf8.count <= 16 << 20 else { throw YAMLProblem("the YAML is longer than 16 MiB") }
        try YAMLDepthScan.check(text)
        let root: Node?
        do {
            root = try Parser(yaml: text).singleRoot()
        } catch {
            throw YAMLProblem("this is not a single YAML document: \(error)")
        }
        guard let root else { throw YAMLProblem("there is no YAML document") }
        var reading = YAMLReading(maximumDepth: maximumDepth, count: maximumCount)
        self = try reading.value(of: root, depth: 0)
    }
}
