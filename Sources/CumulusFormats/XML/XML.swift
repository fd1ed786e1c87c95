// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// An XML element: its name, attributes and children, in order.
///
///     let feed = try XML(parsing: bytes)
///     let title = feed["channel"]?["title"]?.text
///     let links = feed.elements("link").map { $0[attribute: "href"] }
///
/// Names are as written, prefix included. Comments and processing instructions are omitted, and CDATA becomes text.
public struct XML: Sendable, Hashable {
    /// The element's name, with its prefix.
    public var name: String
    /// The attributes in order.
    public var attributes: [Attribute]
    /// Elements and text in order.
    public var children: [Node]
    /// The URI of the element's namespace, if the element was parsed from a document or created with a namespace;
    /// otherwise `nil`.
    ///
    /// It reflects the meaning of the prefix, and is not written itself: only `xmlns` attributes are. Elements with the
    /// same written form are equal.
    public var namespace: String?

    /// An attribute.
    public struct Attribute: Sendable, Hashable {
        /// The attribute's name, with its prefix.
        public var name: String
        /// The value.
        public var value: String
        /// The URI of the attribute's namespace, if the attribute has a prefix and was parsed from a document;
        /// otherwise `nil`.
        public var namespace: String?

        /// Creates an attribute.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A child of an element.
    public enum Node: Sendable, Hashable {
        /// An element.
        case element(XML)
        /// Text.
        case text(String)
    }

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - name: The element's name, with its prefix; an invalid name causes an error when the element is written.
    ///   - attributes: Names with values, in order.
    ///   - children: The element's children.
    public init(_ name: String, attributes: KeyValuePairs<String, String> = [:], children: [Node] = []) {
        self.name = name
        self.attributes = attributes.map { Attribute(name: $0.key, value: $0.value) }
        self.children = children
    }

    /// Creates an element that contains text.
    public init(_ name: String, attributes: KeyValuePairs<String, String> = [:], text: String) {
        self.init(name, attributes: attributes, children: [.text(text)])
    }

    init(name: String, attributes: [Attribute], children: [Node]) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }
}

extension XML {
    /// Whether two elements have the same written form.
    public static func == (left: XML, right: XML) -> Bool {
        left.name == right.name && left.attributes == right.attributes && left.children == right.children
    }

    /// Hashes the written form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(attributes)
        hasher.combine(children)
    }
}

extension XML.Attribute {
    /// Whether two attributes have the same written form.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name && left.value == right.value }

    /// Hashes the written form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

extension XML {
    /// The first child element with this name; `nil` if there is none.
    public subscript(name: String) -> XML? { elements.first { $0.name == name } }

    /// An attribute's value; `nil` if there is none.
    ///
    /// Assigning a value adds or replaces the attribute; assigning `nil` removes it.
    public subscript(attribute name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            let place = attributes.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): attributes[place].value = value
            case (let place?, nil): attributes.remove(at: place)
            case (nil, let value?): attributes.append(Attribute(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The child elements, in order.
    public var elements: [XML] { children.compactMap { if case .element(let element) = $0 { element } else { nil } } }

    /// Returns the child elements with a name, in order.
    public func elements(_ name: String) -> [XML] { elements.filter { $0.name == name } }

    /// All text in this element and its descendants, in order.
    public var text: String {
        var text = ""
        appendText(to: &text)
        return text
    }

    /// The element's name without its prefix.
    public var localName: String { XML.localName(name) }

    private func appendText(to whole: inout String) {
        for child in children {
            switch child {
            case .text(let text): whole += text
            case .element(let element): element.appendText(to: &whole)
            }
        }
    }
}

extension XML {
    /// The element as nested objects: `@name` for attributes, `#text` for text next to them, arrays for repeated names.
    ///
    /// An element with only text becomes that text, and an empty element becomes `null`. White space between elements
    /// is omitted.
    public var json: JSON {
        var object = JSON.Object()
        for attribute in attributes { object["@\(attribute.name)"] = .string(attribute.value) }
        let elements = elements
        let text = children.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        let isBlank = text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        if elements.isEmpty, attributes.isEmpty { return text.isEmpty ? .null : .string(text) }
        var lists: [String: [JSON]] = [:]
        for element in elements { lists[element.name, default: []].append(element.json) }
        for element in elements where object[element.name] == nil {
            let values = lists[element.name] ?? []
            object[element.name] = values.count == 1 ? values[0] : .array(values)
        }
        if !isBlank { object["#text"] = .string(text) }
        return .object(object)
    }
}

extension XML: Codable {
    /// Decodes a string that is an XML document, for coders other than the XML coder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try XML(parsing: try container.decode(String.self))
        } catch let error as ParsingError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the document's text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: try encoded(), as: UTF8.self))
    }
}
