// SPDX-License-Identifier: Apache-2.0

/// Where a setting was written, as `explain` reports it.
public struct SettingSource: Sendable, Hashable, CustomStringConvertible {
    /// The module and file.
    public let fileID: String
    /// The line.
    public let line: UInt

    /// Makes a source from a file and line.
    public init(fileID: StaticString, line: UInt) {
        self.fileID = "\(fileID)"
        self.line = line
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
