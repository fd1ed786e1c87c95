// SPDX-License-Identifier: Apache-2.0

/// An entry of the journal, which belongs to no actor, so that it can be decoded off the main one.
public nonisolated struct JournalEntry: Codable, Sendable, Identifiable, Equatable {
    /// Its number; `nil` until the server has given one.
    public var id: Int?
    /// What it says.
    public var text: String

    /// Creates a new one.
    public init(_ text: String) { self.text = text }
}
