// SPDX-License-Identifier: Apache-2.0

/// A setting that is a list: the inherited elements and those that a layer adds.
///
/// It reads as the whole list. Assigning an array sets what this layer adds; ``append(_:)-(Element)`` adds to that;
/// ``replacing(_:)-([Element])`` discards the inherited ones.
public struct SettingList<Element: Sendable>: Sendable {
    private(set) var elements: [Element]
    private var added: [Element] = []
    private var source: ObjectIdentifier?
    private(set) var cutsOffInherited = false

    /// A list that replaces the inherited one.
    public static func replacing(_ elements: [Element]) -> SettingList {
        var list = SettingList(elements)
        list.cutsOffInherited = true
        return list
    }

    /// The same list, replacing the inherited one.
    public static func replacing(_ list: SettingList) -> SettingList { replacing(list.elements) }

    /// A list that is added to what is inherited.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// Adds an element to this layer.
    public mutating func append(_ element: Element) {
        elements.append(element)
        if source != nil { added.append(element) }
    }

    /// The elements of both lists, in the order given by the caller, unless the nearer one cuts off the farther.
    func combined(with own: SettingList, ownFirst: Bool = false) -> SettingList {
        if own.cutsOffInherited { return own }
        var whole = self
        whole.elements = ownFirst ? own.elements + elements : elements + own.elements
        return whole
    }

    /// What a reader of a layer gets.
    func readFromLayer(_ layer: LayerContext) -> SettingList {
        var read = self
        read.source = layer.identity
        read.added = []
        return read
    }

    /// What a layer holds after this was written to it.
    func written(onto own: SettingList?, in layer: LayerContext) -> SettingList {
        guard let source, source == layer.identity else {
            var whole = self
            whole.source = nil
            whole.added = []
            return whole
        }
        var changed = own ?? SettingList()
        changed.elements += added
        return changed
    }

    /// The list without the elements that don't fit.
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

extension SettingList: RandomAccessCollection {
    /// The first index.
    public var startIndex: Int { elements.startIndex }
    /// The index after the last.
    public var endIndex: Int { elements.endIndex }
    /// The element at an index.
    public subscript(index: Int) -> Element { elements[index] }
}

extension SettingList: ExpressibleByArrayLiteral {
    /// A list that is added to what is inherited.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}
