// SPDX-License-Identifier: Apache-2.0

/// Reads a text's events by YAML 1.2.2, one at a time.
///
/// A state for each open collection takes the place of recursion. Nothing is read ahead to find out whether a list or map is
/// a key, because JSON has no such keys: they are refused where reading ahead would be necessary.
struct YAMLEventReader {
    /// An event with the line where it begins.
    typealias Located = (event: YAMLEvent, line: Int)

    /// The part of an open collection that comes next.
    enum State {
        /// An entry of a list in lines, or the list's end.
        case item
        /// A key of a map in lines, or the map's end.
        case key
        /// The value after a key's colon.
        case value
        /// The colon after a key with a question mark.
        case explicitValue
        /// A separator, an entry or the end in brackets.
        case flowItem(isFirst: Bool)
        /// A separator, a key or the end in braces.
        case flowKey(isFirst: Bool)
        /// The colon after a key in braces.
        case flowValue
        /// The key after a question mark in brackets.
        case pairKey
        /// The colon after a key in brackets.
        case pairValue
        /// The end of a map that is an entry in brackets.
        case pairEnd
    }

    /// An open collection.
    struct Level {
        var state: State
        /// The column of its entries, if each begins a line.
        let indent: Int
        /// The line where it begins.
        let line: Int

        var isFlow: Bool {
            switch state {
            case .item, .key, .value, .explicitValue: false
            case .flowItem, .flowKey, .flowValue, .pairKey, .pairValue, .pairEnd: true
            }
        }
    }

    /// The deepest nesting; those who build values from the events have lower limits.
    private static let maximumDepth = 1_000

    /// The line of the last event, from 1.
    private(set) var line = 1
    var scanner: YAMLScanner
    var levels: [Level] = []
    /// The event after the one that is returned first.
    var pending: Located?
    var document = YAMLDocumentState()
    /// The position of the token whose indentation has no tab.
    private var checked = -1

    init(_ text: String) {
        scanner = YAMLScanner(text)
    }

    /// The next event; after `streamEnd` there is none to ask for.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
        let located = try step()
        line = located.line
        return located.event
    }

    private mutating func step() throws(YAMLProblem) -> Located {
        if let located = pending {
            pending = nil
            return located
        }
        guard let level = levels.last else { return try documentStep() }
        switch level.state {
        case .item: return try item(level)
        case .key: return try key(level)
        case .value:
            setState(.key)
            return try blockNode(parent: level.indent, isCompact: false, isInMap: true)
        case .explicitValue: return try explicitValue(level)
        case .flowItem(let isFirst): return try flowItem(level, isFirst: isFirst)
        case .flowKey(let isFirst): return try flowKey(level, isFirst: isFirst)
        case .flowValue: return try flowValue(then: .flowKey(isFirst: false))
        case .pairKey:
            setState(.pairValue)
            return try flowNode()
        case .pairValue: return try flowValue(then: .pairEnd)
        case .pairEnd: return close()
        }
    }

    // MARK: - Levels

    mutating func setState(_ state: State) {
        levels[levels.count - 1].state = state
    }

    mutating func open(_ state: State, indent: Int) throws(YAMLProblem) {
        guard levels.count < YAMLEventReader.maximumDepth else {
            throw scanner.problem("it is nested deeper than \(YAMLEventReader.maximumDepth) levels")
        }
        levels.append(Level(state: state, indent: indent, line: scanner.line))
    }

    mutating func close() -> Located {
        levels.removeLast()
        return (.collectionEnd, scanner.line)
    }

    // MARK: - Tokens

    /// The column of the next token, which begins a line; -1 at the document's end.
    mutating func indentation() throws(YAMLProblem) -> Int {
        try scanner.skipToToken()
        if scanner.isAtEnd || scanner.isAtDocumentMarker { return -1 }
        if checked != scanner.position, scanner.hasTabBefore {
            throw scanner.problem("a line is indented with a tab; use spaces")
        }
        checked = scanner.position
        return scanner.column
    }

    /// Skips the colon after a scalar that began at `start`; whether there is one, so that the scalar is a key.
    mutating func skipColon(from start: YAMLScanner.Mark) throws(YAMLProblem) -> Bool {
        scanner.skipBlanks()
        let isFlow = levels.last?.isFlow ?? false
        guard isFlow ? scanner.byte() == UInt8(ascii: ":") : scanner.isAt(indicator: UInt8(ascii: ":")) else {
            return false
        }
        guard scanner.line == start.line else {
            throw scanner.problem("\": \" follows a string of several lines; a key must be on one line")
        }
        guard scanner.fitsKey(since: start.position) else {
            throw scanner.problem("a key is longer than 1,024 characters; write \"? \" before it")
        }
        scanner.position += 1
        return true
    }
}
