// SPDX-License-Identifier: Apache-2.0

/// A setting that is a list: the inherited elements, and those that a layer adds.
///
/// Reading it returns the whole list. Assigning an array sets the elements that this layer adds;
/// ``append(_:)-(Element)`` adds to them; ``replacing(_:)-([Element])`` discards the inherited ones.
public struct SettingList<Element: Sendable>: Sendable {
    private(set) var elements: [Element]
    private var added: [Element] = []
    private var trace: LayerTrace?
    private(set) var cutsOffInherited = false

    /// Creates a list that replaces the inherited one.
    public static func replacing(_ elements: [Element]) -> SettingList {
        var list = SettingList(elements)
        list.cutsOffInherited = true
        return list
    }

    /// Returns a copy of the list that replaces the inherited one.
    public static func replacing(_ list: SettingList) -> SettingList { replacing(list.elements) }

    /// Creates a list that is added to the inherited one.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// Adds an element to this layer.
    public mutating func append(_ element: Element) {
        elements.append(element)
        if trace?.isReading == true { added.append(element) }
    }

    /// The elements of both lists, in the caller's order, unless the nearer list replaces the farther one.
    func combined(with own: SettingList, ownFirst: Bool = false) -> SettingList {
        if own.cutsOffInherited { return own }
        var whole = self
        whole.elements = ownFirst ? own.elements + elements : elements + own.elements
        return whole
    }

    /// The list as a reader of a layer gets it.
    func readFromLayer(_ layer: LayerContext) -> SettingList {
        var read = self
        read.trace = .reading(layer)
        read.added = []
        return read
    }

    /// The layer's list after this one was written to it.
    func written(onto own: SettingList?, in layer: LayerContext) -> SettingList {
        guard let (rest, trace) = trace?.rest(of: added, for: layer, after: own?.trace) else {
            var whole = self
            whole.trace = nil
            whole.added = []
            return whole
        }
        var changed = own ?? SettingList()
        changed.elements += rest
        changed.trace = trace
        return changed
    }

    /// The list without the elements that fail a test.
    func filtered(_ fits: (Element) -> Bool) -> SettingList {
        var list = self
        list.elements = elements.filter(fits)
        return list
    }

    /// The list with each element changed.
    func mapped(_ change: (Element) -> Element) -> SettingList {
        var list = self
        list.elements = elements.map(change)
        list.added = added.map(change)
        return list
    }
}

extension SettingList: MergedValue {}

extension SettingList: RandomAccessCollection {
    /// The first index.
    public var startIndex: Int { elements.startIndex }
    /// The index after the last element.
    public var endIndex: Int { elements.endIndex }
    /// The element at an index.
    public subscript(index: Int) -> Element { elements[index] }
}

extension SettingList: Redacted {
    /// The elements' descriptions, or the types of elements without a description.
    public var description: String {
        let texts = elements.map { ($0 as? any CustomStringConvertible)?.description ?? "\(type(of: $0))" }
        return "[\(texts.joined(separator: ", "))]"
    }
}

extension SettingList: ExpressibleByArrayLiteral {
    /// Creates a list that is added to the inherited one.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}
