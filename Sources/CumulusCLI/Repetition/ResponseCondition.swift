// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The condition of `--until`, such as `.state == "done"`, `.items[].ready` or `status == 404`.
struct ResponseCondition: Equatable, Sendable {
    /// The compared part of a response.
    enum Subject: Equatable, Sendable {
        case status
        /// The values at a path in the JSON body of a successful response.
        case body(JSONFilter)
    }

    /// A comparison.
    ///
    /// Longer spellings come first, because they are matched in this order.
    enum Comparison: String, CaseIterable, Sendable {
        case notAbove = "<="
        case notBelow = ">="
        case equal = "=="
        case different = "!="
        case below = "<"
        case above = ">"
    }

    let subject: Subject
    /// `nil` means that the value must be neither null nor false.
    let comparison: Comparison?
    let value: JSON
    /// The condition as the user wrote it.
    let text: String

    /// Parses a path or `status`, and the comparison after it.
    ///
    /// A word without quotes is a string.
    init(parsing text: String) throws(UsageMistake) {
        let (left, comparison, right) = ResponseCondition.split(text)
        self.text = text
        self.comparison = comparison
        let mistake = UsageMistake(
            "--until takes a path, a comparison and a value, not \(quoted(text))",
            hint: "for example --until '.state == \"done\"', --until '.progress >= 100' or --until 'status == 200'"
        )
        if left == "status" {
            subject = .status
        } else {
            guard left.begins(with: ".") || left.begins(with: "[") else { throw mistake }
            do throws(UsageMistake) {
                subject = .body(try JSONFilter(parsing: left, of: "--until"))
            } catch {
                // More likely a comparison than a path.
                throw comparison == nil && left.has(anyOf: "=") ? mistake : error
            }
        }
        guard comparison != nil else {
            guard right.isEmpty, subject != .status else { throw mistake }
            value = .null
            return
        }
        if let json = try? JSON(parsing: right) {
            value = json
        } else {
            if ResponseCondition.split(right).1 != nil {
                throw UsageMistake(
                    "--until takes one comparison, not \(quoted(text))",
                    hint: "for example --until '.state == \"done\"'"
                )
            }
            guard !right.isEmpty, right.utf8.allSatisfy(ResponseCondition.isOfWord) else { throw mistake }
            value = .string(right)
        }
        if subject == .status, value.double == nil { throw mistake }
    }

    /// Whether the values of a response meet the condition.
    ///
    /// If there are several values, each must meet it.
    func isMet(by values: [JSON]) -> Bool { !values.isEmpty && values.allSatisfy(isMet) }

    /// The values of a response to compare; empty if they are missing.
    ///
    /// The body is read only if the condition is about it.
    func values(status: Int?, body: () -> JSON?) -> [JSON] {
        guard let status else { return [] }
        switch subject {
        case .status: return [JSON(status)]
        case .body(let filter):
            guard 200..<300 ~= status, let json = body() else { return [] }
            return (try? filter.values(in: json)) ?? []
        }
    }

    private func isMet(by found: JSON) -> Bool {
        guard let comparison else { return !found.isNull && found != false }
        let order = ResponseCondition.order(found, value)
        switch comparison {
        // Exact, unlike the order of numbers beyond the precision of a `Double`: 64-bit identifiers, for example.
        case .equal: return found == value
        case .different: return found != value
        case .below: return order.map { $0 < 0 } ?? false
        case .above: return order.map { $0 > 0 } ?? false
        case .notAbove: return order.map { $0 <= 0 } ?? false
        case .notBelow: return order.map { $0 >= 0 } ?? false
        }
    }

    /// Negative if the first value is smaller, positive if it is larger; `nil` if the two can't be compared.
    private static func order(_ one: JSON, _ other: JSON) -> Int? {
        if one == other { return 0 }
        if let one = one.int, let other = other.int { return one < other ? -1 : 1 }
        if let one = one.double, let other = other.double { return one < other ? -1 : one > other ? 1 : 0 }
        if let one = one.string, let other = other.string {
            return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
        }
        return nil
    }

    /// The text before the first comparison outside of quotes, the comparison, and the text after it.
    private static func split(_ text: String) -> (left: String, Comparison?, right: String) {
        let bytes = Array(text.utf8)
        var (isQuoted, index) = (false, 0)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted, bytes[index] == UInt8(ascii: "\\") { index += 1 }
            let rest = bytes.dropFirst(index)
            if !isQuoted, let found = Comparison.allCases.first(where: { rest.starts(with: $0.rawValue.utf8) }) {
                let right = rest.dropFirst(found.rawValue.utf8.count)
                return (trimmed(bytes[..<index]), found, trimmed(right))
            }
            index += 1
        }
        return (trimmed(bytes[...]), nil, "")
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        String(String(decoding: bytes, as: UTF8.self).trimmed)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte >= 0x80
    }
}
