// SPDX-License-Identifier: Apache-2.0

/// The tables of a TOML document during parsing, and what may still be added to each.
final class TOMLTables {
    /// How a table was defined, which determines what may be added to it.
    enum Origin {
        /// By the header of a table below it: `[a.b]` defines a.
        case implied
        /// By its own header; also the document itself.
        case header
        /// By a dotted key.
        case dotted
    }

    /// The tables of `[[name]]`; shared, so that adding one doesn't copy those before it.
    private final class List {
        var tables: [TOMLTables]

        init(_ table: TOMLTables) { tables = [table] }
    }

    private enum Node {
        case value(TOMLValue)
        case table(TOMLTables)
        case list(List)
    }

    private let line: Int
    private var origin: Origin
    private var names: [String] = []
    /// By the names' bytes: strings are equal if they look alike, keys only if they are the same.
    private var nodes: [[UInt8]: Node] = [:]

    init(_ origin: Origin, line: Int) {
        self.origin = origin
        self.line = line
    }

    /// The table of a header, starting from here.
    func table(at path: ArraySlice<String>, isList: Bool, line: Int) throws(TOMLProblem) -> TOMLTables {
        guard let name = path.first else { return self }
        let isLast = path.count == 1
        switch nodes[Array(name.utf8)] {
        case nil:
            let table = TOMLTables(isLast ? .header : .implied, line: line)
            add(name, isLast && isList ? .list(List(table)) : .table(table))
            return try table.table(at: path.dropFirst(), isList: isList, line: line)
        case .table(let table)? where !isLast:
            return try table.table(at: path.dropFirst(), isList: isList, line: line)
        case .table(let table)? where isLast && !isList && table.origin == .implied:
            table.origin = .header
            return table
        case .list(let list)?:
            if isLast, isList {
                let table = TOMLTables(.header, line: line)
                list.tables.append(table)
                return table
            }
            guard !isLast, let table = list.tables.last else { throw TOMLTables.again(name, line) }
            return try table.table(at: path.dropFirst(), isList: isList, line: line)
        default: throw TOMLTables.again(name, line)
        }
    }

    /// Sets the value of a dotted key.
    func set(_ path: ArraySlice<String>, to value: TOMLValue, line: Int) throws(TOMLProblem) {
        guard let name = path.first else { return }
        if path.count == 1 {
            guard nodes[Array(name.utf8)] == nil else { throw TOMLTables.again(name, line) }
            return add(name, .value(value))
        }
        switch nodes[Array(name.utf8)] {
        case nil:
            let table = TOMLTables(.dotted, line: line)
            add(name, .table(table))
            try table.set(path.dropFirst(), to: value, line: line)
        case .table(let table)? where table.origin != .header:
            table.origin = .dotted
            try table.set(path.dropFirst(), to: value, line: line)
        default: throw TOMLTables.again(name, line)
        }
    }

    /// This table as a value.
    var value: TOMLValue {
        let members = names.compactMap { name -> TOMLValue.Member? in
            switch nodes[Array(name.utf8)] {
            case nil: nil
            case .value(let value)?: TOMLValue.Member(key: name, value: value)
            case .table(let table)?: TOMLValue.Member(key: name, value: table.value)
            case .list(let list)?:
                TOMLValue.Member(
                    key: name,
                    value: TOMLValue(content: .array(list.tables.map(\.value)), line: list.tables.first?.line ?? line)
                )
            }
        }
        return TOMLValue(content: .table(members), line: line)
    }

    private func add(_ name: String, _ node: Node) {
        names.append(name)
        nodes[Array(name.utf8)] = node
    }

    private static func again(_ name: String, _ line: Int) -> TOMLProblem {
        TOMLProblem(line: line, reason: "\(quoted(name)) is already set")
    }
}
