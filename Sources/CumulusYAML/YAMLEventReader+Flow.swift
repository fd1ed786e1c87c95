// SPDX-License-Identifier: Apache-2.0

/// Collections in brackets and braces (YAML 1.2.2 section 7.4).
extension YAMLEventReader {
    mutating func flowItem(_ level: Level, isFirst: Bool) throws(YAMLProblem) -> Located {
        if try skipSeparator(level, isFirst: isFirst, end: UInt8(ascii: "]")) { return try closeFlow() }
        setState(.flowItem(isFirst: false))
        if scanner.isAt(indicator: UInt8(ascii: "?")) {
            try open(.pairKey, indent: level.indent)
            scanner.position += 1
            return (.mappingStart(anchor: nil), scanner.line)
        }
        let start = scanner.mark
        let properties = try flowProperties()
        if let located = try openFlow(ifHere: properties) { return located }
        let line = scanner.line
        let event = try event(flowLeaf(canBeEmpty: !properties.isEmpty), properties)
        guard try skipColon(from: start) else { return (event, line) }
        scanner.position -= 1
        try open(.pairValue, indent: level.indent)
        pending = (event, line)
        return (.mappingStart(anchor: nil), line)
    }

    mutating func flowKey(_ level: Level, isFirst: Bool) throws(YAMLProblem) -> Located {
        if try skipSeparator(level, isFirst: isFirst, end: UInt8(ascii: "}")) { return try closeFlow() }
        setState(.flowValue)
        guard scanner.isAt(indicator: UInt8(ascii: "?")) else { return try flowNode(canBeEmpty: false) }
        scanner.position += 1
        return try flowNode()
    }

    /// Reads the value after a key's colon; without a colon, it is empty.
    mutating func flowValue(then state: State) throws(YAMLProblem) -> Located {
        setState(state)
        try skipInFlow()
        guard scanner.byte() == UInt8(ascii: ":") else { return (try event(.empty, YAMLProperties()), scanner.line) }
        scanner.position += 1
        return try flowNode()
    }

    /// Reads a node that isn't followed by a key's colon.
    mutating func flowNode(canBeEmpty: Bool = true) throws(YAMLProblem) -> Located {
        try skipInFlow()
        let properties = try flowProperties()
        if let located = try openFlow(ifHere: properties) { return located }
        let line = scanner.line
        return (try event(flowLeaf(canBeEmpty: canBeEmpty || !properties.isEmpty), properties), line)
    }

    // MARK: - Parts of nodes

    /// Reads properties, which may be in several lines.
    private mutating func flowProperties() throws(YAMLProblem) -> YAMLProperties {
        var properties = YAMLProperties()
        while scanner.byte() == UInt8(ascii: "&") || scanner.byte() == UInt8(ascii: "!") {
            let more = try self.properties(inFlow: true)
            if properties.anchor != nil && more.anchor != nil || properties.tag != nil && more.tag != nil {
                throw twoProperties()
            }
            properties = YAMLProperties(anchor: properties.anchor ?? more.anchor, tag: properties.tag ?? more.tag)
            try skipInFlow()
        }
        return properties
    }

    private mutating func openFlow(ifHere properties: YAMLProperties) throws(YAMLProblem) -> Located? {
        guard scanner.byte() == UInt8(ascii: "[") || scanner.byte() == UInt8(ascii: "{") else { return nil }
        return try openFlow(properties)
    }

    private mutating func flowLeaf(canBeEmpty: Bool) throws(YAMLProblem) -> YAMLLeaf {
        let next = scanner.byte()
        let isEmpty = next == UInt8(ascii: ",") || next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
        if canBeEmpty, isEmpty { return .empty }
        return try leaf(indent: 0, inFlow: true, canBeEmpty: canBeEmpty)
    }

    // MARK: - Separators

    /// Skips to the next entry, and the comma before it; whether the collection ends instead.
    private mutating func skipSeparator(_ level: Level, isFirst: Bool, end: UInt8) throws(YAMLProblem) -> Bool {
        try skipInFlow(from: level.line)
        if scanner.byte() == end { return true }
        if isFirst { return false }
        guard scanner.byte() == UInt8(ascii: ",") else {
            if scanner.byte() == UInt8(ascii: ":") {
                throw scanner.problem("unexpected colon; a key must be a scalar on one line, with one value")
            }
            throw scanner.problem("expected a comma or \"\(Character(Unicode.Scalar(end)))\"")
        }
        scanner.position += 1
        try skipInFlow(from: level.line)
        return scanner.byte() == end
    }

    /// Skips blanks, comments and line ends in brackets, which must be closed within the document.
    private mutating func skipInFlow(from line: Int? = nil) throws(YAMLProblem) {
        try scanner.skipToToken()
        guard scanner.isAtEnd || scanner.isAtDocumentMarker else { return }
        let first = line ?? levels.last?.line
        throw scanner.problem("the list or map that begins here has no closing bracket", line: first)
    }

    private mutating func closeFlow() throws(YAMLProblem) -> Located {
        let located = close()
        scanner.position += 1
        if levels.last?.isFlow ?? false { return located }
        scanner.skipBlanks()
        if scanner.isAt(indicator: UInt8(ascii: ":")) { throw collectionAsKey() }
        try scanner.endLine(after: "a closing bracket")
        return located
    }
}
