// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Creates one JSON value of a document's events; it needs no stack for depth, and counts what aliases repeat.
struct YAMLReading {
    /// A list or map that has begun and not ended.
    private struct Level {
        let anchor: String?
        let isMap: Bool
        var elements: [JSON] = []
        var object = JSON.Object()
        /// The key whose value comes next.
        var key: String?
        /// How many levels are in it.
        var height = 0
        /// How many values there were before it, and how long they are.
        let sizeBefore: Size
    }

    /// How many values there are, and how many bytes their texts have.
    private struct Size {
        var count = 0
        var length = 0

        static func + (left: Size, right: Size) -> Size {
            Size(count: left.count + right.count, length: left.length + right.length)
        }

        static func - (left: Size, right: Size) -> Size {
            Size(count: left.count - right.count, length: left.length - right.length)
        }
    }

    /// What an alias stands for.
    private struct Anchored {
        let value: JSON
        let size: Size
        let height: Int
        /// The text, if it can be a key.
        let key: String?
    }

    private let maximumDepth: Int
    private let maximumCount: Int
    private let maximumRepetition: Int
    private var size = Size()
    /// How many bytes aliases have repeated.
    private var repetition = 0
    private var levels: [Level] = []
    private var anchors: [String: Anchored] = [:]
    private var root: JSON?

    /// Reads the events up to the end of the text.
    static func value(
        of reader: consuming YAMLEventReader,
        maximumDepth: Int,
        maximumCount: Int,
        maximumRepetition: Int
    ) throws(YAMLProblem) -> JSON {
        var reading = YAMLReading(
            maximumDepth: maximumDepth,
            maximumCount: maximumCount,
            maximumRepetition: maximumRepetition
        )
        while true {
            let event = try reader.next()
            if case .streamEnd = event { break }
            do throws(YAMLProblem) {
                try reading.take(event)
            } catch {
                throw YAMLProblem("line \(reader.line): \(error.description)")
            }
        }
        guard let root = reading.root else { throw YAMLProblem("the text contains no YAML document") }
        return root
    }

    private init(maximumDepth: Int, maximumCount: Int, maximumRepetition: Int) {
        self.maximumDepth = maximumDepth
        self.maximumCount = maximumCount
        self.maximumRepetition = maximumRepetition
    }

    private static func scalar(_ scalar: ScalarNode) -> Anchored {
        let size = Size(count: 1, length: scalar.text.utf8.count)
        return Anchored(value: scalar.value, size: size, height: 0, key: scalar.text)
    }

    private mutating func take(_ event: YAMLEvent) throws(YAMLProblem) {
        switch event {
        case .boundary, .streamEnd: break
        case .nextDocument: throw YAMLProblem("the text contains a second document")
        case .scalar(let scalar, let anchor):
            if expectsKey { return try take(key: scalar, anchor: anchor) }
            try add(YAMLReading.scalar(scalar), anchor: anchor)
        case .sequenceStart(let anchor): try begin(Level(anchor: anchor, isMap: false, sizeBefore: size))
        case .mappingStart(let anchor): try begin(Level(anchor: anchor, isMap: true, sizeBefore: size))
        case .collectionEnd: try end()
        case .alias(let name):
            // The latest anchor with the name counts, and no JSON value contains itself.
            if levels.contains(where: { $0.anchor == name }) {
                throw YAMLProblem("the alias \(quoted(name)) is inside the value that it refers to")
            }
            guard let anchored = anchors[name] else { throw YAMLProblem("the alias \(quoted(name)) has no anchor") }
            repetition += anchored.size.length
            guard repetition <= maximumRepetition else { throw YAMLProblem("aliases make the document too long") }
            guard expectsKey else { return try add(anchored, anchor: nil) }
            guard let key = anchored.key else { throw YAMLProblem("a key is not a scalar") }
            try take(key)
        }
    }

    private var expectsKey: Bool { levels.last.map { $0.isMap && $0.key == nil } ?? false }

    private mutating func take(key scalar: ScalarNode, anchor: String?) throws(YAMLProblem) {
        if scalar.isMerge { throw YAMLProblem("merge keys (<<) are not supported") }
        if let anchor { anchors[anchor] = YAMLReading.scalar(scalar) }
        try take(scalar.text)
    }

    private mutating func take(_ key: String) throws(YAMLProblem) {
        guard levels[levels.count - 1].object[key] == nil else {
            throw YAMLProblem("the key \(quoted(key)) occurs twice")
        }
        levels[levels.count - 1].key = key
        size.length += key.utf8.count
    }

    private mutating func begin(_ level: Level) throws(YAMLProblem) {
        if expectsKey { throw YAMLProblem("a key is not a scalar") }
        guard levels.count < maximumDepth else { throw tooDeep }
        levels.append(level)
    }

    private mutating func end() throws(YAMLProblem) {
        guard let level = levels.popLast() else { return }
        let value: JSON = level.isMap ? .object(level.object) : .array(level.elements)
        // The collection itself is a value, too.
        let own = size - level.sizeBefore + Size(count: 1)
        size = level.sizeBefore
        try add(Anchored(value: value, size: own, height: level.height, key: nil), anchor: level.anchor)
    }

    /// Adds a value to the collection that is open, or as the document.
    private mutating func add(_ anchored: Anchored, anchor: String?) throws(YAMLProblem) {
        guard levels.count + anchored.height < maximumDepth else { throw tooDeep }
        guard anchored.size.count <= maximumCount - size.count else {
            throw YAMLProblem("there are too many values, or aliases that expand to too many")
        }
        size = size + anchored.size
        if let anchor { anchors[anchor] = anchored }
        guard let last = levels.indices.last else {
            root = anchored.value
            return
        }
        levels[last].height = max(levels[last].height, anchored.height + 1)
        if let key = levels[last].key {
            levels[last].object[key] = anchored.value
            levels[last].key = nil
        } else {
            levels[last].elements.append(anchored.value)
        }
    }

    private var tooDeep: YAMLProblem { YAMLProblem("it is nested deeper than \(maximumDepth) levels") }

    private func quoted(_ name: String) -> String { "\"\(PeerText.printable(name, limit: 80))\"" }
}
