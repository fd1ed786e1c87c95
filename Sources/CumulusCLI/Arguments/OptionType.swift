// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The value of an argument.
enum OptionValue: Equatable, Sendable {
    case flag(Bool)
    case count(Int)
    case text(String)
    case number(Double)
    case integer(Int)
    case list([String])
}

/// The type of an option's value, which the code that uses the option sees.
struct OptionType<Value>: Sendable {
    let kind: OptionRow.Kind
    let valueName: String?
    let read: @Sendable (OptionValue?) -> Value
    let write: @Sendable (Value) -> OptionValue?
}

/// An option with a value of a type.
final class Option<Value>: OptionRow, @unchecked Sendable {
    let type: OptionType<Value>

    init(_ name: String, _ type: OptionType<Value>, _ group: Group, _ help: String, _ columns: OptionColumn...) {
        self.type = type
        super.init(name, (type.kind, type.valueName), group, help, columns)
    }
}

extension OptionType<Bool> {
    static let flag = OptionType(kind: .flag, valueName: nil) {
        $0 == .flag(true)
    } write: {
        .flag($0)
    }
}

extension OptionType<Int> {
    static let count = OptionType(kind: .count, valueName: nil) { value in
        if case .count(let count)? = value { count } else { 0 }
    } write: {
        $0 == 0 ? nil : .count($0)
    }
}

extension OptionType<String?> {
    static func text(_ valueName: String) -> OptionType { string(.text, valueName) }
    /// A text, or a boolean of a configuration, which is read as yes or no.
    static func textOrBoolean(_ valueName: String) -> OptionType { string(.textOrBoolean, valueName) }

    /// A text that is one of a few.
    static func oneOf(_ values: String...) -> OptionType {
        string(.choice(values), values.joined(separator: "|"))
    }

    private static func string(_ kind: OptionRow.Kind, _ valueName: String) -> OptionType {
        OptionType(kind: kind, valueName: valueName) { value in
            if case .text(let text)? = value { text } else { nil }
        } write: { text in
            text.map { .text($0) }
        }
    }
}

extension OptionType<Double?> {
    static let seconds = OptionType(kind: .seconds, valueName: "seconds") { value in
        if case .number(let number)? = value { number } else { nil }
    } write: { number in
        number.map { .number($0) }
    }
}

extension OptionType<Int?> {
    static func integer(_ range: ClosedRange<Int>, _ valueName: String = "n") -> OptionType {
        OptionType(kind: .integer(range), valueName: valueName) { value in
            if case .integer(let number)? = value { number } else { nil }
        } write: { number in
            number.map { .integer($0) }
        }
    }
}

extension OptionType<[String]> {
    static func list(_ valueName: String) -> OptionType {
        OptionType(kind: .list, valueName: valueName) { value in
            if case .list(let texts)? = value { texts } else { [] }
        } write: { texts in
            texts.isEmpty ? nil : .list(texts)
        }
    }
}

extension OptionType {
    /// One of the cases of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ valueName: String
    ) -> OptionType<Choice?> where Value == Choice? {
        OptionType<Choice?>(kind: .choice(Choice.allCases.map(\.rawValue)), valueName: valueName) { value in
            if case .text(let text)? = value { Choice(rawValue: text) } else { nil }
        } write: { choice in
            choice.map { .text($0.rawValue) }
        }
    }
}

extension OptionRow {
    /// Whether a text can be a value of the option, apart from the values of other options.
    func takes(_ text: String) -> Bool {
        if secret == .url, !text.isEmpty, (try? URLShorthand(parsing: text)) == nil { return false }
        return (try? value(text)) != nil
    }

    /// The value that a text stands for.
    ///
    /// - Throws: ``UsageMistake``, which quotes the text only where it can't be a secret.
    func value(_ text: String) throws(UsageMistake) -> OptionValue {
        switch kind {
        case .flag, .count: throw UsageMistake("--\(name) does not take a value", hint: "write --\(name)")
        case .text, .textOrBoolean: return .text(text)
        case .list: return .list([text])
        case .choice(let values):
            if values.contains(text) { return .text(text) }
            throw UsageMistake("--\(name) takes \(UsageMistake.list(values)), not \(quoted(text))")
        case .seconds:
            let mistake = UsageMistake(
                "--\(name) takes a number of seconds, from 0 to one year, not \(quoted(text))",
                hint: example ?? "for example --\(name) 0.5 or 500ms (half a second)"
            )
            guard let number = OptionRow.seconds(text), let value = value(number) else { throw mistake }
            return value
        case .integer(let range):
            if let number = Int(text), range ~= number { return .integer(number) }
            throw UsageMistake(
                "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(quoted(text))"
            )
        }
    }

    /// Parses seconds, or a number with a unit: `0.5`, `500ms`, `2s`, `5m`, `1h`.
    static func seconds(_ text: String) -> Double? {
        for (unit, seconds) in [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)] where text.ends(with: unit) {
            return Double(text.utf8.dropLast(unit.utf8.count).text).map { $0 * seconds }
        }
        return Double(text)
    }

    /// Seconds as a user writes them: without a fraction if they are whole.
    static func text(seconds: Double) -> String { Int(exactly: seconds).map(String.init) ?? "\(seconds)" }

    /// A number as this option's value; `nil` if it is out of range.
    func value(_ number: Double) -> OptionValue? {
        switch kind {
        case .seconds: number.isFinite && 0...31_536_000 ~= number ? .number(number) : nil
        case .integer(let range): Int(exactly: number).flatMap { range ~= $0 ? .integer($0) : nil }
        default: nil
        }
    }
}
