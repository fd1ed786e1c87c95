// SPDX-License-Identifier: Apache-2.0

/// Collections whose entries are lines (YAML 1.2.2 section 8.2).
extension YAMLEventReader {
    mutating func item(_ level: Level) throws(YAMLProblem) -> Located {
        let column = try indentation()
        if column < level.indent { return close() }
        if column == level.indent {
            if scanner.isAt(indicator: UInt8(ascii: "-")) {
                scanner.position += 1
                return try blockNode(parent: level.indent, isCompact: true, isInMap: false)
            }
            // The entries of a list in a map may be in the column of the map's keys.
            if let outer = levels.dropLast().last, !outer.isFlow, outer.indent == column { return close() }
        }
        throw scanner.problem("the indentation is wrong, or a list entry doesn't begin with \"- \"")
    }

    mutating func key(_ level: Level) throws(YAMLProblem) -> Located {
        let column = try indentation()
        if column < level.indent { return close() }
        guard column == level.indent else {
            throw scanner.problem("the indentation is wrong: a key must be in the column of the map's first key")
        }
        if scanner.isAt(indicator: UInt8(ascii: "?")) {
            scanner.position += 1
            setState(.explicitValue)
            return try blockNode(parent: level.indent, isCompact: true, isInMap: true)
        }
        if scanner.isAt(indicator: UInt8(ascii: "-")) { throw scanner.problem("a list entry is among a map's keys") }
        setState(.value)
        let start = scanner.mark
        let properties = try properties(inFlow: false)
        if scanner.byte() == UInt8(ascii: "[") || scanner.byte() == UInt8(ascii: "{") {
            throw collectionAsKey()
        }
        let leaf = try leaf(indent: level.indent + 1, inFlow: false, canBeEmpty: !properties.isEmpty)
        guard try skipColon(from: start) else {
            throw scanner.problem("a map's key must be followed by \": \"", line: start.line)
        }
        return (try event(leaf, properties), start.line)
    }

    /// Reads the value of a key that has a question mark, if there is one.
    mutating func explicitValue(_ level: Level) throws(YAMLProblem) -> Located {
        setState(.key)
        guard try indentation() == level.indent, scanner.isAt(indicator: UInt8(ascii: ":")) else {
            return (try event(.empty, YAMLProperties()), scanner.line)
        }
        scanner.position += 1
        return try blockNode(parent: level.indent, isCompact: true, isInMap: true)
    }

    /// Reads a node of a collection whose entries are in column `parent`.
    ///
    /// A collection may begin in this line if it is compact. In a map, the entries of a list may be in column `parent`, too.
    mutating func blockNode(parent: Int, isCompact: Bool, isInMap: Bool) throws(YAMLProblem) -> Located {
        var outer = YAMLProperties()
        var allowsCollection = isCompact
        while true {
            let before = scanner.mark
            try scanner.skipToToken()
            if scanner.line > before.line {
                allowsCollection = true
                let column = try indentation()
                let isItem = isInMap && column == parent && scanner.isAt(indicator: UInt8(ascii: "-"))
                guard column > parent || isItem else { return (try event(.empty, outer), before.line) }
            } else if scanner.isAtEnd {
                return (try event(.empty, outer), before.line)
            } else if scanner.hasTab(since: before.position) {
                allowsCollection = false
            }
            if let located = try openBlock(outer, isAllowed: allowsCollection) { return located }
            let start = scanner.mark
            let own = try properties(inFlow: false)
            let endsLine = scanner.isAtEnd || YAMLScanner.isBreak(scanner.byte()) || scanner.byte() == UInt8(ascii: "#")
            guard endsLine, !own.isEmpty else {
                return try blockContent(
                    YAMLBlockStart(outer: outer, own: own, mark: start, parent: parent),
                    allowsCollection
                )
            }
            // Properties in a line of their own belong to what begins in the next one.
            outer = try joined(outer, own)
            allowsCollection = false
        }
    }

    /// Begins a collection if an entry's indicator is here.
    private mutating func openBlock(_ properties: YAMLProperties, isAllowed: Bool) throws(YAMLProblem) -> Located? {
        let isItem = scanner.isAt(indicator: UInt8(ascii: "-"))
        guard isItem || scanner.isAt(indicator: UInt8(ascii: "?")) else { return nil }
        guard isAllowed else {
            throw scanner.problem(
                "a list or map can't begin on this line; begin it on the next one, indented with spaces"
            )
        }
        try open(isItem ? .item : .key, indent: scanner.column)
        let anchor = properties.anchor
        return (isItem ? .sequenceStart(anchor: anchor) : .mappingStart(anchor: anchor), scanner.line)
    }

    /// Reads a node after its properties: a scalar, a collection in brackets, or a map that begins with a key.
    private mutating func blockContent(
        _ start: YAMLBlockStart,
        _ allowsCollection: Bool
    ) throws(YAMLProblem) -> Located {
        let line = scanner.line
        switch scanner.byte() {
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try openFlow(joined(start.outer, start.own))
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            let text = try scanner.blockScalar(parent: start.parent)
            return (try event(.scalar(text, isPlain: false), joined(start.outer, start.own)), line)
        default: break
        }
        let leaf = try leaf(indent: start.parent + 1, inFlow: false, canBeEmpty: !start.own.isEmpty)
        guard try skipColon(from: start.mark) else {
            try scanner.endLine(after: "a value; write quotes around a string that contains quotes or \" #\"")
            return (try event(leaf, joined(start.outer, start.own)), line)
        }
        guard allowsCollection else {
            throw scanner.problem("\": \" can't be in a value on this line; write quotes around the string")
        }
        try open(.value, indent: start.mark.column)
        pending = (try event(leaf, start.own), line)
        return (.mappingStart(anchor: start.outer.anchor), line)
    }

    private func joined(_ outer: YAMLProperties, _ own: YAMLProperties) throws(YAMLProblem) -> YAMLProperties {
        if own.isEmpty { return outer }
        guard outer.isEmpty else {
            throw scanner.problem("a value has anchors or tags on two lines; write them on the same line")
        }
        return own
    }
}

/// The beginning of a node: properties of earlier lines, and those of its own line, which belong to a key if it is one.
struct YAMLBlockStart {
    let outer: YAMLProperties
    let own: YAMLProperties
    let mark: YAMLScanner.Mark
    let parent: Int
}
