// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A query: ordered names with values, or one layer of them, escaped according to RFC 3986 when it is sent.
///
/// A nearer item replaces the farther one of the same name, in its position; `nil` masks the inherited one. Case and
/// order are kept.
public struct Query: Sendable, Hashable {
    /// One name with its value; `nil` masks an inherited item.
    struct Item: Sendable, Hashable {
        var name: String
        var value: QueryValue?
        /// The item as the URL contained it, which is sent unchanged.
        var verbatim: String?
    }

    /// A change of one name, which a layer applies without touching the others.
    enum Edit: Sendable, Hashable {
        case set(Item)
        case add(Item)
        case inherit(String)
    }

    private var list = EditedList<Item, Edit>()

    private(set) var items: [Item] {
        get { list.elements }
        _modify { yield &list.elements }
    }
    private var edits: [Edit] {
        get { list.edits }
        _modify { yield &list.edits }
    }

    /// Creates an empty query.
    public init() {}

    init(items: [Item]) { self.items = items }

    /// Creates a query from names and values in order; a name may occur more than once.
    public init(_ pairs: [(String, (any QueryEncodable)?)]) {
        for (name, value) in pairs { carryOut(.add(Item(name: name, value: value?.queryValue))) }
    }

    /// Creates a query from a dictionary, sorted by name, since a dictionary has no order.
    public init(_ items: [String: some QueryEncodable]) {
        self.init(items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Creates the query of a URL, which may be empty: then its `?` is sent as long as there are no items.
    init(ofURL text: String) {
        self.init(parsing: text)
        if text.isEmpty { items = [Item(name: "", value: .text(""), verbatim: "")] }
    }

    /// Creates a query from a URL's query, without its `?`; each item is sent unchanged.
    public init(parsing text: String) {
        if text.isEmpty { return }
        for part in text.parts(at: "&") {
            let plain = String(decoding: part.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
            let (before, behind) = plain.cut(at: "=") ?? (plain[...], "")
            let (name, decoded) = (PercentEncoding.decode(before), PercentEncoding.decode(behind))
            let complete = PercentEncoding.complete(part, allowed: PercentEncoding.isQueryByte)
            items.append(Item(name: name, value: .text(decoded), verbatim: complete))
        }
    }

    /// Whether there are neither items nor masks.
    public var isEmpty: Bool { list.isEmpty }

    /// The first value of a name; `nil` if there is none.
    ///
    /// Setting it replaces all items of the name, in the first one's position; setting `nil` masks the inherited one.
    public subscript(name: String) -> (any QueryEncodable)? {
        get { items.first { $0.name == name }?.value }
        set { apply(.set(Item(name: name, value: newValue?.queryValue))) }
    }

    /// Adds a value to the name's values in this layer, which replace the inherited ones.
    public mutating func add(_ value: some QueryEncodable, for name: String) {
        apply(.add(Item(name: name, value: value.queryValue)))
    }

    /// Appends another query's items unchanged, even for names that already occur.
    public mutating func append(contentsOf other: Query) {
        for item in other.isBareMark ? [] : other.items { apply(.add(item)) }
    }

    /// Removes this layer's item for a name, so that the inherited item applies again.
    public mutating func inherit(_ name: String) { apply(.inherit(name)) }

    private mutating func apply(_ edit: Edit) {
        if list.trace?.isReading == true { edits.append(edit) }
        carryOut(edit)
    }

    /// Whether there is only the `?`.
    private var isBareMark: Bool { items.count == 1 && items[0].verbatim?.isEmpty == true }

    private mutating func carryOut(_ edit: Edit) {
        if isBareMark { items = [] }
        switch edit {
        case .set(let item): replace(item.name, with: [item])
        case .add(let item): items.append(item)
        case .inherit(let name): items.removeAll { $0.name == name }
        }
    }

    private mutating func replace(_ name: String, with new: [Item]) {
        let place = items.firstIndex { $0.name == name } ?? items.endIndex
        items.removeAll { $0.name == name }
        items.insert(contentsOf: new, at: place)
    }

    /// Returns this query with a nearer one merged over it, whose items replace those of the same name.
    public func merging(_ nearer: Query) -> Query {
        if nearer.isEmpty { return self }
        if isEmpty || isBareMark { return nearer }
        if nearer.isBareMark { return self }
        let byName = Dictionary(grouping: nearer.items, by: \.name)
        var merged = Query()
        var placed: Set<String> = []
        for item in items + nearer.items {
            guard let new = byName[item.name] else {
                merged.items.append(item)
                continue
            }
            // The nearer items take the position of the first farther one.
            if placed.insert(item.name).inserted { merged.items += new }
        }
        return merged
    }

    /// The query as a reader of a layer gets it.
    func readFromLayer(_ layer: LayerContext) -> Query {
        var read = self
        read.list.beginEdits(.reading(layer))
        return read
    }

    /// The layer's value after this one was written to it.
    func written(onto own: Query?, in layer: LayerContext) -> Query {
        guard let (rest, trace) = list.trace?.rest(of: edits, for: layer, after: own?.list.trace) else {
            var whole = self
            whole.list.beginEdits(nil)
            return whole
        }
        var changed = own ?? Query()
        for edit in rest { changed.carryOut(edit) }
        changed.list.trace = trace
        return changed
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    /// Creates a query with the items in the order of the literal; a name may occur more than once, and `nil` masks the
    /// inherited item.
    public init(dictionaryLiteral pairs: (String, (any QueryEncodable)?)...) {
        for (name, value) in pairs { carryOut(.add(Item(name: name, value: value?.queryValue))) }
    }
}

extension Query: Sequence {
    /// Returns the items in order, including repeated names.
    ///
    /// Masked items are omitted, although ``isEmpty`` counts them.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: QueryValue)> {
        (isBareMark ? [] : items).lazy.compactMap { item in item.value.map { (item.name, $0) } }.makeIterator()
    }
}

extension Query: QueryEncodable {
    /// A nested, ordered value: `filter[a]=1&filter[b]=2`.
    public var queryValue: QueryValue {
        .map(
            (isBareMark ? [] : items).compactMap { item in
                item.value.map { QueryValue.Member(name: item.name, value: $0) }
            }
        )
    }
}

extension Query {
    /// The names in order, each as often as it occurs, without masked ones.
    public var names: [String] { isBareMark ? [] : items.filter { $0.value != nil }.map(\.name) }

    /// Returns all values of a name, in order.
    public func values(of name: String) -> [QueryValue] { items.filter { $0.name == name }.compactMap(\.value) }

    /// Whether names and values are the same, in the same order.
    public static func == (left: Query, right: Query) -> Bool {
        left.items.map(\.name) == right.items.map(\.name) && left.items.map(\.value) == right.items.map(\.value)
    }

    /// Hashes names and values.
    public func hash(into hasher: inout Hasher) {
        for item in items {
            hasher.combine(item.name)
            hasher.combine(item.value)
        }
    }
}

extension Query: MergedValue {
    var addsNothing: Bool { isEmpty }
}
