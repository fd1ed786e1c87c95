// SPDX-License-Identifier: Apache-2.0

/// Parses one XML document from UTF-8, without recursion.
struct XMLParser {
    typealias Problem = XML.ParsingError

    let bytes: UnsafeRawBufferPointer
    var index = 0
    let maximumDepth: Int
    private var nodesLeft: Int
    /// Whether what was read is kept; a check needs only the open elements.
    private let keepsNodes: Bool
    /// The open elements, the root first.
    private var open: [XML] = []
    /// Text of the open element that was read: comments and CDATA don't divide it.
    private var pending = ""
    private var scope = XMLScope()

    init(
        _ bytes: UnsafeRawBufferPointer,
        maximumDepth: Int = XML.defaultMaximumDepth,
        maximumNodes: Int = XML.defaultMaximumNodes,
        keepsNodes: Bool = true
    ) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        nodesLeft = maximumNodes
        self.keepsNodes = keepsNodes
    }

    mutating func document() throws(Problem) -> XML {
        try checkCharacters()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        if matches("<?xml"), let next = byte(at: index + 5), XMLParser.isSpace(next) { try skipDeclaration() }
        try skipBetween(allowsType: true)
        guard index < bytes.count else { throw problem(.unexpectedEnd) }
        // An empty root is the whole document.
        if let root = try startTag() { return try finish(root) }
        return try rest()
    }

    /// Parses the root's content, and the rest of the document.
    private mutating func rest() throws(Problem) -> XML {
        while true {
            guard index < bytes.count else { throw problem(.unexpectedEnd) }
            if bytes[index] != UInt8(ascii: "<") {
                try appendText()
            } else if matches("</") {
                if let root = try endTag() { return try finish(root) }
            } else if matches("<!--") {
                try skipComment()
            } else if matches("<![CDATA[") {
                try appendCharacterData()
            } else if matches("<?") {
                try skipInstruction()
            } else if let element = try startTag() {
                append(element)
            }
        }
    }

    private mutating func finish(_ root: XML) throws(Problem) -> XML {
        try skipBetween(allowsType: false)
        guard index == bytes.count else { throw problem(.trailingBytes) }
        return root
    }

    // MARK: Tags

    /// Opens an element; an empty one is returned instead.
    private mutating func startTag() throws(Problem) -> XML? {
        let start = index
        guard byte(at: index) == UInt8(ascii: "<") else { throw problem(.unexpectedByte) }
        index += 1
        var element = XML(try name())
        try count(1, at: start)
        var names: Set<ExactName> = []
        while true {
            let hadSpace = skipSpace()
            guard let next = byte(at: index) else { throw problem(.unexpectedEnd) }
            switch next {
            case UInt8(ascii: ">"):
                index += 1
                flushText()
                guard open.count < maximumDepth else { throw problem(.tooDeep, at: start) }
                scope.enter(&element)
                open.append(element)
                return nil
            case UInt8(ascii: "/"):
                guard byte(at: index + 1) == UInt8(ascii: ">") else { throw problem(.unexpectedByte) }
                index += 2
                flushText()
                guard open.count < maximumDepth else { throw problem(.tooDeep, at: start) }
                scope.enter(&element)
                scope.leave()
                return element
            default:
                guard hadSpace else { throw problem(.unexpectedByte) }
                let place = index
                let attribute = try attribute()
                guard names.insert(ExactName(attribute.name)).inserted else {
                    throw problem(.repeatedAttribute, at: place)
                }
                try count(1, at: place)
                element.attributes.append(attribute)
            }
        }
    }

    private mutating func attribute() throws(Problem) -> XML.Attribute {
        let name = try name()
        skipSpace()
        guard byte(at: index) == UInt8(ascii: "=") else { throw unexpected() }
        index += 1
        skipSpace()
        guard let quote = byte(at: index), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw unexpected()
        }
        index += 1
        let value = try characters(inAttribute: true) { byte, _ in byte == quote }
        guard index < bytes.count else { throw problem(.unexpectedEnd) }
        index += 1
        return XML.Attribute(name: name, value: value)
    }

    /// Closes the open element; returns it if it is the root.
    private mutating func endTag() throws(Problem) -> XML? {
        let start = index
        flushText()
        index += 2
        let name = try name()
        skipSpace()
        guard byte(at: index) == UInt8(ascii: ">") else { throw unexpected() }
        guard let element = open.popLast(), ExactName(element.name) == ExactName(name) else {
            throw problem(.wrongEndTag, at: start)
        }
        index += 1
        scope.leave()
        if open.isEmpty { return element }
        append(element)
        return nil
    }

    // MARK: Text

    private mutating func appendText() throws(Problem) {
        let start = index
        let text = try characters(inAttribute: false) { byte, _ in byte == UInt8(ascii: "<") }
        try count(1, at: start)
        pending += text
    }

    private mutating func appendCharacterData() throws(Problem) {
        let start = index
        index += 9
        let first = index
        try skip(until: "]]>")
        try count(1, at: start)
        pending += XMLParser.lines(bytes[first..<index - 3])
    }

    private mutating func append(_ element: XML) {
        guard keepsNodes, !open.isEmpty else { return }
        open[open.count - 1].children.append(.element(element))
    }

    /// Adds the pending text to the open element.
    private mutating func flushText() {
        guard !pending.isEmpty, !open.isEmpty else { return }
        if keepsNodes { open[open.count - 1].children.append(.text(pending)) }
        pending = ""
    }

    private mutating func count(_ nodes: Int, at place: Int) throws(Problem) {
        nodesLeft -= nodes
        guard nodesLeft >= 0 else { throw problem(.tooLarge, at: place) }
    }

    // MARK: Errors

    func problem(_ reason: Problem.Reason, at place: Int? = nil) -> Problem {
        Problem(reason, at: place ?? index, in: bytes)
    }

    func unexpected() -> Problem { problem(index < bytes.count ? .unexpectedByte : .unexpectedEnd) }
}
