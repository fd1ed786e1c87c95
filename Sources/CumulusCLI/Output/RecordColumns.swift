// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Values as rows of a table: a column for each name in any of the objects, in order of appearance.
///
/// An object in an object has no cell: its members are columns such as `address.city`.
struct RecordColumns {
    /// The name of the column for values that are not objects.
    static let valueName = "value"
    /// The maximum number of columns.
    static let most = 1_000

    /// A column of a row, and the value in it.
    typealias Cell = (column: Int, value: JSON)

    let names: [String]
    /// The values in order.
    let values: [JSON]
    private let places: [String: Int]
    /// Deeper objects are cells, as JSON.
    private static let deepest = 8

    /// - Throws: ``FormProblem`` if there are too many columns.
    init(_ values: [JSON], for form: TableFormat) throws {
        var places: [String: Int] = [:]
        var names: [String] = []
        for value in values {
            for (name, _) in RecordColumns.members(of: value) where places[name] == nil {
                guard names.count < RecordColumns.most else {
                    throw FormProblem(form: form, reason: "there are more than \(RecordColumns.most) names")
                }
                places[name] = names.count
                names.append(name)
            }
        }
        self.names = names
        self.values = values
        self.places = places
    }

    /// The cells of a value, without those that it lacks: most names may be in one object only.
    func cells(of value: JSON) -> [Cell] {
        RecordColumns.members(of: value).compactMap { name, member in places[name].map { ($0, member) } }
    }

    /// The names and values of a row.
    private static func members(of value: JSON) -> [(name: String, value: JSON)] {
        guard let object = value.object else { return [(valueName, value)] }
        return members(of: object, prefix: "", depth: 0)
    }

    private static func members(of object: JSON.Object, prefix: String, depth: Int) -> [(name: String, value: JSON)] {
        object.flatMap { key, value -> [(name: String, value: JSON)] in
            let name = prefix + key
            // A member whose own name has the dot would be in the same column.
            guard let inner = value.object, !inner.isEmpty, depth < deepest,
                !object.contains(where: { $0.key.begins(with: "\(key).") })
            else { return [(name, value)] }
            return members(of: inner, prefix: "\(name).", depth: depth + 1)
        }
    }

    /// The text of each cell of a value; empty where it has none.
    func row(of value: JSON, _ change: (String) -> String) -> [String] {
        var row = [String](repeating: "", count: names.count)
        for cell in cells(of: value) { row[cell.column] = change(RecordColumns.text(cell.value)) }
        return row
    }

    /// Checks that a table wouldn't inflate its values.
    ///
    /// - Throws: ``FormProblem``.
    func limit(rowWidth: Int, content: Int, for form: TableFormat) throws {
        let (output, overflow) = values.count.multipliedReportingOverflow(by: rowWidth)
        guard !overflow, LayoutLimits().allow(output, for: content) else {
            throw FormProblem(form: form, reason: "the empty cells would make it many times as long as the response")
        }
    }

    /// A cell's text: strings unchanged, empty for null and missing values, JSON for everything else.
    static func text(_ value: JSON) -> String {
        if value.isNull { return "" }
        return value.string ?? String(decoding: value.encoded(), as: UTF8.self)
    }
}
