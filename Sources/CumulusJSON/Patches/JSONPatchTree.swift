// SPDX-License-Identifier: Apache-2.0

/// A document while a JSON Patch is applied (RFC 6902): each operation takes time by its own length.
///
/// Only arrays and objects on an operation's path are opened; all else stays in `JSON` values. Open ones refer to
/// their elements by number, so that neither walking nor releasing a deep document needs the stack.
struct JSONPatchTree: ~Copyable {
    /// A place in an array or object, or the root.
    private enum Slot {
        case value(JSON)
        case object(Int)
        case array(Int)
        /// The value was removed; its place is dropped at the end.
        case removed
    }

    /// A class, so that a path is walked without copies; the tree alone refers to it.
    private final class Members {
        /// The keys of the slots that were there when the object was opened.
        let shape: JSONShape
        var slots: [Slot]
        /// The keys of the slots behind them.
        var addedKeys: [String] = []
        var added = JSONShape(uniqueKeys: [])
        /// The slots of the keys in `added`; of a key that was removed and added again, the last.
        var addedSlots: [Int] = []
        var removedCount = 0

        init(_ object: JSON.Object) {
            shape = object.shape
            slots = object.storedValues.map { .value($0) }
        }

        func position(of key: String) -> Int? {
            let again = addedKeys.isEmpty ? nil : added.position(of: key).map { addedSlots[$0] }
            guard let known = again ?? shape.position(of: key) else { return nil }
            if case .removed = slots[known] { return nil }
            return known
        }

        func append(_ key: String, _ slot: Slot) {
            if let again = added.position(of: key) {
                addedSlots[again] = slots.count
            } else {
                added.append(key)
                addedSlots.append(slots.count)
            }
            addedKeys.append(key)
            slots.append(slot)
        }

        func key(_ position: Int) -> String {
            position < shape.keys.count ? shape.keys[position] : addedKeys[position - shape.keys.count]
        }
    }

    /// Where a path's last name is: an open array or object, or `nil` for the root.
    private struct Place {
        let owner: Slot?
        let name: String
    }

    /// How deep a value may become: deeper ones would exhaust the stack when they are written or released.
    private static let deepest = JSON.defaultMaximumDepth

    private var root: Slot
    private var objects: [Members] = []
    private var arrays: [PieceList<Slot>] = []
    /// How many bytes copies may still add, as JSON text; `nil` before the first copy.
    private var copyable: Int?
    private let document: JSON

    init(_ document: JSON) {
        self.document = document
        root = .value(document)
    }

    /// The document with all changes.
    func value() throws(JSONPatchProblem) -> JSON { try value(of: root, depth: 0) }

    /// The value at a path.
    mutating func value(at path: [String]) throws(JSONPatchProblem) -> JSON {
        try value(of: try slot(at: path), depth: 0)
    }

    mutating func add(_ value: JSON, at path: [String]) throws(JSONPatchProblem) { try insert(.value(value), at: path) }

    /// Replaces a value; a member keeps its place in the order.
    mutating func replace(at path: [String], with value: JSON) throws(JSONPatchProblem) {
        let place = try place(of: path)
        switch place.owner {
        case nil: root = .value(value)
        case .object(let number):
            guard let position = objects[number].position(of: place.name) else { throw nothing(place.name) }
            objects[number].slots[position] = .value(value)
        case .array(let number):
            guard let index = JSONPointer.index(place.name), index < arrays[number].count else {
                throw nothing(place.name)
            }
            arrays[number].set(.value(value), at: index)
        case .value, .removed: throw nothing(place.name)
        }
    }

    mutating func remove(at path: [String]) throws(JSONPatchProblem) { _ = try take(at: path) }

    mutating func move(from: [String], to path: [String]) throws(JSONPatchProblem) {
        if path.count > from.count, path.starts(with: from, by: { $0.hasSameBytes(as: $1, isASCII: false) }) {
            throw JSONPatchProblem("a value can't be moved into itself")
        }
        try insert(try take(at: from), at: path)
    }

    /// Copies a value; in all, copies may be ten times as long as the document, or 1 MiB.
    mutating func copy(from: [String], to path: [String]) throws(JSONPatchProblem) {
        let copied = try value(at: from)
        let left = copyable ?? max(1 << 20, document.textLength(upTo: Int.max / 16).saturatingTimes(10))
        let length = copied.textLength(upTo: left)
        guard length <= left else { throw JSONPatchProblem("its copies make the document too long") }
        guard path.count + copied.depth <= Self.deepest else { throw Self.tooDeep }
        copyable = left - length
        try add(copied, at: path)
    }

    private static let tooDeep = JSONPatchProblem("the value would be nested deeper than \(deepest) levels")

    private func nothing(_ name: String) -> JSONPatchProblem { JSONPatchProblem("there is no value at \"\(name)\"") }

    /// Opens the arrays and objects above a path's last name.
    private mutating func place(of path: [String]) throws(JSONPatchProblem) -> Place {
        guard let name = path.last else { return Place(owner: nil, name: "") }
        guard path.count <= Self.deepest else { throw Self.tooDeep }
        root = open(root)
        var owner = root
        for step in path.dropLast() {
            switch owner {
            case .object(let number):
                let members = objects[number]
                guard let position = members.position(of: step) else { throw nothing(step) }
                owner = members.slots[position]
                guard case .value = owner else { continue }
                owner = open(owner)
                members.slots[position] = owner
            case .array(let number):
                let index = try index(step, in: number)
                owner = arrays[number][index]
                guard case .value = owner else { continue }
                owner = open(owner)
                arrays[number].set(owner, at: index)
            case .value, .removed: throw JSONPatchProblem("\"\(step)\" is in neither an object nor an array")
            }
        }
        return Place(owner: owner, name: name)
    }

    private func index(_ name: String, in array: Int) throws(JSONPatchProblem) -> Int {
        guard let index = JSONPointer.index(name), index < arrays[array].count else {
            throw JSONPatchProblem("there is no element \"\(name)\"")
        }
        return index
    }

    private mutating func open(_ slot: Slot) -> Slot {
        switch slot {
        case .value(.object(let object)):
            objects.append(Members(object))
            return .object(objects.count - 1)
        case .value(.array(let elements)):
            arrays.append(PieceList(elements.map { .value($0) }))
            return .array(arrays.count - 1)
        default: return slot
        }
    }

    private mutating func slot(at path: [String]) throws(JSONPatchProblem) -> Slot {
        let place = try place(of: path)
        switch place.owner {
        case nil: return root
        case .object(let number):
            guard let position = objects[number].position(of: place.name) else { throw nothing(place.name) }
            return objects[number].slots[position]
        case .array(let number):
            guard let index = JSONPointer.index(place.name), index < arrays[number].count else {
                throw nothing(place.name)
            }
            return arrays[number][index]
        case .value, .removed: throw nothing(place.name)
        }
    }

    private mutating func insert(_ new: Slot, at path: [String]) throws(JSONPatchProblem) {
        let place = try place(of: path)
        switch place.owner {
        case nil: root = new
        case .object(let number):
            if let position = objects[number].position(of: place.name) {
                objects[number].slots[position] = new
            } else {
                objects[number].append(place.name, new)
            }
        case .array(let number):
            let count = arrays[number].count
            guard let index = place.name == "-" ? count : JSONPointer.index(place.name), index <= count else {
                throw JSONPatchProblem("there is no element \"\(place.name)\"")
            }
            arrays[number].insert(new, at: index)
        case .value, .removed: throw JSONPatchProblem("\"\(place.name)\" is in neither an object nor an array")
        }
    }

    private mutating func take(at path: [String]) throws(JSONPatchProblem) -> Slot {
        let place = try place(of: path)
        switch place.owner {
        case nil: throw JSONPatchProblem("the whole value can't be removed")
        case .object(let number):
            guard let position = objects[number].position(of: place.name) else { throw nothing(place.name) }
            let taken = objects[number].slots[position]
            objects[number].slots[position] = .removed
            objects[number].removedCount += 1
            return taken
        case .array(let number): return arrays[number].remove(at: try index(place.name, in: number))
        case .value, .removed: throw JSONPatchProblem("\"\(place.name)\" is in neither an object nor an array")
        }
    }

    private func value(of slot: Slot, depth: Int) throws(JSONPatchProblem) -> JSON {
        guard depth <= Self.deepest else { throw Self.tooDeep }
        switch slot {
        case .value(let value): return value
        case .removed: return .null
        case .array(let number):
            var elements: [JSON] = []
            elements.reserveCapacity(arrays[number].count)
            for piece in arrays[number].pieces {
                for slot in piece { elements.append(try value(of: slot, depth: depth + 1)) }
            }
            return .array(elements)
        case .object(let number):
            let members = objects[number]
            var (keys, values) = ([String](), [JSON]())
            values.reserveCapacity(members.slots.count)
            let isWhole = members.removedCount == 0 && members.addedKeys.isEmpty
            for (position, slot) in members.slots.enumerated() {
                if case .removed = slot { continue }
                if !isWhole { keys.append(members.key(position)) }
                values.append(try value(of: slot, depth: depth + 1))
            }
            return .object(JSON.Object(shape: isWhole ? members.shape : JSONShape(uniqueKeys: keys), values: values))
        }
    }
}

/// A list in pieces, so that an insertion in the middle moves few elements.
private struct PieceList<Element> {
    /// Near the square root of the length, so that neither looking for a piece nor moving its elements takes long.
    private let longestPiece: Int
    private(set) var pieces: [[Element]]
    private(set) var count: Int

    init(_ elements: [Element]) {
        let half = max(512, Int(Double(elements.count).squareRoot()))
        longestPiece = 2 * half
        pieces = stride(from: 0, to: elements.count, by: half).map {
            Array(elements[$0..<min($0 + half, elements.count)])
        }
        count = elements.count
    }

    subscript(index: Int) -> Element {
        let (piece, offset) = place(of: index)
        return pieces[piece][offset]
    }

    mutating func set(_ element: Element, at index: Int) {
        let (piece, offset) = place(of: index)
        pieces[piece][offset] = element
    }

    /// Inserts before an index, or at the end.
    mutating func insert(_ element: Element, at index: Int) {
        if pieces.isEmpty { pieces.append([]) }
        let (piece, offset) = index == count ? (pieces.count - 1, pieces[pieces.count - 1].count) : place(of: index)
        pieces[piece].insert(element, at: offset)
        count += 1
        guard pieces[piece].count > longestPiece else { return }
        let half = pieces[piece].count / 2
        pieces.insert(Array(pieces[piece][half...]), at: piece + 1)
        pieces[piece].removeSubrange(half...)
    }

    mutating func remove(at index: Int) -> Element {
        let (piece, offset) = place(of: index)
        let element = pieces[piece].remove(at: offset)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
        count -= 1
        return element
    }

    private func place(of index: Int) -> (piece: Int, offset: Int) {
        var rest = index
        for number in pieces.indices {
            if rest < pieces[number].count { return (number, rest) }
            rest -= pieces[number].count
        }
        return (pieces.count - 1, rest)
    }
}

extension JSON {
    /// About how long the value is as JSON text; counting ends beyond a limit.
    func textLength(upTo limit: Int) -> Int {
        var length = 0
        addTextLength(to: &length, limit)
        return length
    }

    private func addTextLength(to length: inout Int, _ limit: Int) {
        guard length <= limit else { return }
        switch self {
        case .null, .bool: length += 5
        case .number(let number): length += number.description.utf8.count + 1
        case .string(let text): length += text.utf8.count + 3
        case .array(let elements):
            length += 2
            for element in elements where length <= limit { element.addTextLength(to: &length, limit) }
        case .object(let members):
            length += 2
            for (key, value) in members where length <= limit {
                length += key.utf8.count + 4
                value.addTextLength(to: &length, limit)
            }
        }
    }

    /// How many levels of arrays and objects it has.
    var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.storedValues.lazy.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}

extension Int {
    fileprivate func saturatingTimes(_ factor: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
