// SPDX-License-Identifier: Apache-2.0

/// The anchor and the tag before a node.
struct YAMLProperties {
    var anchor: String?
    var tag: String?

    var isEmpty: Bool { anchor == nil && tag == nil }
}

/// A node that is not a collection.
enum YAMLLeaf {
    case alias(String)
    case scalar(String, isPlain: Bool)

    /// The empty scalar, where a node is left out.
    static let empty = YAMLLeaf.scalar("", isPlain: true)
}

extension YAMLEventReader {
    /// Reads an anchor and a tag in this line, in any order, and the blanks after them.
    mutating func properties(inFlow: Bool) throws(YAMLProblem) -> YAMLProperties {
        var properties = YAMLProperties()
        while true {
            if scanner.byte() == UInt8(ascii: "&"), properties.anchor == nil {
                properties.anchor = try scanner.anchorName()
            } else if scanner.byte() == UInt8(ascii: "!"), properties.tag == nil {
                properties.tag = try scanner.tag(handles: document.handles)
            } else {
                return properties
            }
            let next = scanner.byte()
            // The name of an anchor ends at the colon of an empty key.
            guard next != UInt8(ascii: ":") else { return properties }
            guard YAMLScanner.endsWord(next) || inFlow && YAMLScanner.isFlowIndicator(next) else {
                throw scanner.problem("an anchor or a tag contains a character that is not allowed there")
            }
            scanner.skipBlanks()
        }
    }

    /// Reads an alias or a scalar, which is empty before a colon if it has properties.
    ///
    /// Further lines belong to a plain scalar if they have at least `indent` spaces.
    mutating func leaf(indent: Int, inFlow: Bool, canBeEmpty: Bool) throws(YAMLProblem) -> YAMLLeaf {
        switch scanner.byte() {
        case UInt8(ascii: "*"): return .alias(try scanner.anchorName())
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .scalar(try scanner.quotedScalar(), isPlain: false)
        case UInt8(ascii: ":") where canBeEmpty && !scanner.startsPlain(inFlow: inFlow): return .empty
        default:
            guard scanner.startsPlain(inFlow: inFlow) else { throw unexpected() }
            return .scalar(scanner.plainScalar(indent: indent, inFlow: inFlow), isPlain: true)
        }
    }

    func event(_ leaf: YAMLLeaf, _ properties: YAMLProperties) throws(YAMLProblem) -> YAMLEvent {
        switch leaf {
        case .alias(let name):
            guard properties.isEmpty else { throw scanner.problem("an alias can't have an anchor or a tag") }
            return .alias(name)
        case .scalar(let text, let isPlain):
            return .scalar(ScalarNode(text: text, tag: properties.tag, isPlain: isPlain), anchor: properties.anchor)
        }
    }

    /// Begins a list in brackets or a map in braces.
    mutating func openFlow(_ properties: YAMLProperties) throws(YAMLProblem) -> Located {
        let isList = scanner.byte() == UInt8(ascii: "[")
        try open(isList ? .flowItem(isFirst: true) : .flowKey(isFirst: true), indent: levels.last?.indent ?? -1)
        scanner.position += 1
        let anchor = properties.anchor
        return (isList ? .sequenceStart(anchor: anchor) : .mappingStart(anchor: anchor), scanner.line)
    }

    /// The problem with a byte that can't begin a node.
    func unexpected() -> YAMLProblem {
        let byte = scanner.byte()
        guard !YAMLScanner.endsWord(byte) else { return scanner.problem("a value is missing") }
        if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
            return twoProperties()
        }
        if byte == UInt8(ascii: ":") { return scanner.problem("a colon has no key before it") }
        let character = Character(Unicode.Scalar(byte))
        return scanner.problem("a value can't begin with \"\(character)\" here; write quotes around the string")
    }
    func twoProperties() -> YAMLProblem { scanner.problem("a value has two anchors or two tags") }

    /// The problem with a list or map as a key without a question mark, which YAML permits and JSON doesn't.
    func collectionAsKey() -> YAMLProblem { YAMLProblem("line \(scanner.line): a key is not a scalar") }
}
