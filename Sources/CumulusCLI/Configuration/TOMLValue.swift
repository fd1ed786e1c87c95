// SPDX-License-Identifier: Apache-2.0

/// A value of a TOML document (toml.io, version 1.0), with its line.
struct TOMLValue: Equatable, Sendable {
    /// The value's content.
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
    /// The line, counted from 1.
    let line: Int

    /// The members of a table in written order; `nil` for another kind of value.
    var members: [Member]? { if case .table(let members) = content { members } else { nil } }

    /// The kind of the value, in words.
    var kind: String {
        switch content {
        case .string: "a string"
        case .integer, .float: "a number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// A document that is not TOML: what is wrong, and on which line.
struct TOMLProblem: Error, Equatable, CustomStringConvertible {
    let line: Int
    let reason: String
    var description: String { "line \(line): \(reason)" }
}
