// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension JSON {
    /// Creates the JSON value that a YAML document represents, according to the core schema of YAML 1.2.
    ///
    /// Only these plain scalars are not text: `null` and `~`, `true` and `false`, and numbers. `yes`, `no`, `on` and
    /// dates are text, as are values that are quoted or tagged `!!str`. Other tags are ignored. Keys are text. Aliases
    /// are resolved; merge keys (`<<`) are refused.
    ///
    /// - Parameters:
    ///   - text: The text, up to 16 MiB.
    ///   - maximumDepth: The maximum nesting of lists and maps, with aliases resolved; 512 at most.
    ///   - maximumCount: The maximum number of values, with aliases resolved, so that a short text can't become a huge
    ///     value; the text that aliases repeat is at most ten times as long as the whole text, or 1 MiB.
    /// - Throws: ``YAMLProblem``.
    public init(
        parsingYAML text: String,
        maximumDepth: Int = 128,
        maximumCount: Int = 1_000_000
    ) throws(YAMLProblem) {
        guard text.utf8.count <= 16 << 20 else { throw YAMLProblem("the YAML is longer than 16 MiB") }
        // Deeper ones would exhaust the stack when they are written or released.
        let depth = min(maximumDepth, 512)
        self = try YAMLReading.value(
            of: YAMLEventReader(text),
            maximumDepth: depth,
            maximumCount: maximumCount,
            maximumRepetition: max(1 << 20, 10 * text.utf8.count)
        )
    }

    /// Creates a JSON value from one YAML document in UTF-8, as `init(parsingYAML:maximumDepth:maximumCount:)` does
    /// with its defaults.
    ///
    /// - Parameter bytes: The bytes, up to 16 MiB.
    /// - Throws: ``YAMLProblem``, including for bytes that are not UTF-8.
    public init(parsingYAML bytes: [UInt8]) throws(YAMLProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let wrong = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            throw YAMLProblem("line \(wrong + 1): the YAML is not valid UTF-8")
        }
        try self.init(parsingYAML: text)
    }
}
