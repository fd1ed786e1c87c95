// SPDX-License-Identifier: Apache-2.0

/// A value of a TOML document (toml.io, version 1.0), with the line where it stands.
struct TOMLValue: Equatable, Sendable {
    /// What it is.
    enum Content: Equatable, Sendable {
        case string(String)
        case integer(Int64)
        case float(Double)
        case boolean(Bool)
        /// A date, a time or both, as written: no option takes one.
        case date(String)
        case array([TOMLValue])
        case table([Member])
    }

    /// A key of a table and its value.
    struct Member: Equatable, Sendable {
        let key: String
        let value: TOMLValue
    }

    let content: Content
    /// Counted from 1.
    let line: Int

    /// The members of a table, in the order they were written; `nil` for another kind of value.
    var members: [Member]? { if case .table(let members) = content { members } else { nil } }

    /// What it is in words.
    var kind: String {
        switch content {
        case .string: "a text"
        case .integer, .float: "a number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// A document that is not TOML: what is wrong, and in which line.
struct TOMLProblem: Error, Equatable, CustomStringConvertible {
    let line: Int
    let reason: String
    var description: String { "line \(line): \(reason)" }
}
