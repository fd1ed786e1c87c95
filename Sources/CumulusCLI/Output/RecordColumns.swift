// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values as rows of a table: a column for each name that an object among them has, in the order they come.
struct RecordColumns {
    /// What a column of values is called that are no objects.
    static let valueName = "value"

    let names: [String]
    /// For each value, what it has in each column; `nil` where it has none.
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

    /// A cell's text: texts as they are, nothing for null and for what is not there, JSON for all else.
    static func text(_ value: JSON?) -> String {
        switch value {
        case nil, .null?: ""
        case let value?: value.string ?? String(decoding: value.encoded(), as: UTF8.self)
        }
    }
}
