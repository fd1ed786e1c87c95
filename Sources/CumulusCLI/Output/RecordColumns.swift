// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values as rows of a table: a column for each name in any of the objects, in order of appearance.
struct RecordColumns {
    /// The name of the column for values that are not objects.
    static let valueName = "value"

    let names: [String]
    /// The cells of each value by column; `nil` if it has none.
    let rows: [[JSON?]]

    init(_ values: [JSON]) {
        var places: [String: Int] = [:]
        var names: [String] = []
        for value in values {
            let own = value.object.map { Array($0.keys) } ?? [RecordColumns.valueName]
            for name in own where places[name] == nil {
                places[name] = names.count
                names.append(name)
            }
        }
        self.names = names
        rows = values.map { value in
            var row = [JSON?](repeating: nil, count: names.count)
            let members = value.object.map { $0.map { ($0.key, $0.value) } } ?? [(RecordColumns.valueName, value)]
            for (name, member) in members {
                if let place = places[name] { row[place] = member }
            }
            return row
        }
    }

    /// A cell's text: strings unchanged, empty for null and missing values, JSON for everything else.
    static func text(_ value: JSON?) -> String {
        switch value {
        case nil, .null?: ""
        case let value?: value.string ?? String(decoding: value.encoded(), as: UTF8.self)
        }
    }
}
