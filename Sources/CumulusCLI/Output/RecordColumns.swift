// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Values as rows of a table: a column for each name in any of the objects, in order of appearance.
///
/// The members of a nested object have their own columns, such as `address.city`.
struct RecordColumns {
    /// The name of the column for values that are not objects.
    static let valueName = "value"
    /// The maximum number of columns.
    static let most = 1_000

    /// A column of a row, and the value in it.
    typealias Cell = (column: Int, value: JSON)

    let names: [String]
    /// The cells of each value, without those that it lacks: most names may be in one object only.
    let rows: [[Cell]]
    /// The maximum depth of objects with columns.
    ///
    /// Deeper objects are cells that contain JSON.
    private static let deepest = 8

    /// - Throws: ``FormProblem`` if there are too many columns, `CancellationError` between two values.
    init(_ values: [JSON], for form: TableFormat) throws {
        var places: [String: Int] = [:]
        var names: [String] = []
        rows = try values.map { value in
            try Task.checkCancellation()
            return try RecordColumns.members(of: value).map { name, member -> Cell in
                if let place = places[name] { return (place, member) }
                guard names.count < RecordColumns.most else {
                    throw FormProblem(form: form, reason: "there are more than \(RecordColumns.most) names")
                }
                places[name] = names.count
                names.append(name)
                return (names.count - 1, member)
            }
        }
        self.names = names
    }

    /// The names and values of the cells of a value.
    private static func members(of value: JSON) -> [(name: String, value: JSON)] {
        guard let object = value.object else { return [(valueName, value)] }
        return members(of: object, prefix: "", depth: 0)
    }

    private static func members(of object: JSON.Object, prefix: String, depth: Int) -> [(name: String, value: JSON)] {
        let dotted = DottedNames(object)
        return object.flatMap { key, value -> [(name: String, value: JSON)] in
            let name = prefix + key
            // A member such as `address.city` in the same object would share the column's name.
            guard let inner = value.object, !inner.isEmpty, depth < deepest, !dotted.contain(memberOf: key) else {
                return [(name, value)]
            }
            return members(of: inner, prefix: "\(name).", depth: depth + 1)
        }
    }

    /// The text of each column in a row; empty where it has no cell.
    func texts(of row: [Cell], _ change: (String) -> String) -> [String] {
        var texts = [String](repeating: "", count: names.count)
        for cell in row { texts[cell.column] = change(RecordColumns.text(cell.value)) }
        return texts
    }

    /// Checks that a table wouldn't inflate its values.
    ///
    /// - Throws: ``FormProblem``.
    func limit(rowWidth: Int, content: Int, for form: TableFormat) throws {
        let (output, overflow) = rows.count.multipliedReportingOverflow(by: rowWidth)
        guard !overflow, LayoutLimits().allow(output, for: content) else {
            throw FormProblem(form: form, reason: "the empty cells would make the output far longer than the response")
        }
    }

    /// A cell's text: strings unchanged, empty for null and missing values, JSON for everything else.
    static func text(_ value: JSON) -> String {
        if value.isNull { return "" }
        return value.string ?? String(decoding: value.encoded(), as: UTF8.self)
    }
}

/// The names of an object's members that contain a dot, in order, so that one is found without comparing them all.
private struct DottedNames {
    private let names: [String]

    init(_ object: JSON.Object) {
        names = object.lazy.map(\.key).filter { $0.has(anyOf: ".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether there is a name such as `address.city` for `address`.
    func contain(memberOf key: String) -> Bool {
        let beginning = "\(key)."
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].utf8.lexicographicallyPrecedes(beginning.utf8) { low = middle + 1 } else { high = middle }
        }
        return low < names.count && names[low].begins(with: beginning)
    }
}
