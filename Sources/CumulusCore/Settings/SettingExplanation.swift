// SPDX-License-Identifier: Apache-2.0

/// The explanation of a setting's value: the value, and every layer that contributes to it, nearest first.
public struct SettingExplanation: Sendable, CustomStringConvertible {
    /// One layer's own value.
    public struct Contribution: Sendable {
        /// The place that the layer belongs to.
        public let place: String
        /// A description of the layer's own value; secrets are redacted.
        public let value: String
        /// The line of code with the `setRules` or `with` that set the value; `nil` if a URL set it.
        public let source: SettingSource?
    }

    /// A description of the effective value; secrets are redacted.
    public let value: String
    /// The layers that set the value, nearest first; empty if the default applies.
    public let contributions: [Contribution]

    /// One line for the value, and one for each layer.
    public var description: String {
        let layers = contributions.map { "\n  \($0.place) set \($0.value)\($0.source.map { " at \($0)" } ?? "")" }
            .joined()
        return value + (contributions.isEmpty ? "\n  the default; no layer sets it" : layers)
    }
}

/// The location in source code where a setting was written, as `explain` reports it.
public struct SettingSource: Sendable, Hashable, CustomStringConvertible {
    /// The module and file.
    public let fileID: String
    /// The line.
    public let line: UInt

    /// Creates a source from a file and line.
    public init(fileID: StaticString, line: UInt) {
        self.fileID = "\(fileID)"
        self.line = line
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
