// SPDX-License-Identifier: Apache-2.0

/// Values for an endpoint's parameters, by name: `["login": "weipin", "page": 2, "private": nil]`.
///
/// Any `Encodable` value will do. Where it goes, and what becomes of it there, says the endpoint's description; `nil` is
/// as good as none.
public struct EndpointArguments: Sendable {
    enum Given: Sendable {
        case value(any Encodable & Sendable)
        case part(MultipartPart)
        /// A string that is read as the parameter's kind says.
        case text(String)
    }

    private(set) var items: [(name: String, value: Given)] = []

    /// No values.
    public init() {}

    /// Takes texts as a command line has them: each is read as its parameter's ``EndpointParameter/Kind`` says, a file's
    /// as its path.
    public init(texts: [(String, String)]) {
        for (name, text) in texts { set(.text(text), for: name) }
    }

    /// The value of a parameter; `nil` if there is none, or where it is a part or was given as a text.
    public subscript(name: String) -> (any Encodable & Sendable)? {
        get {
            guard case .value(let value)? = items.first(where: { $0.name == name })?.value else { return nil }
            return value
        }
        set { set(newValue.map(Given.value), for: name) }
    }

    /// Gives a part of a multipart body, such as a file.
    public mutating func attach(_ part: MultipartPart, for name: String) { set(.part(part), for: name) }

    /// The names that have values, in the order in which they were given.
    public var names: [String] { items.map(\.name) }

    private mutating func set(_ value: Given?, for name: String) {
        let index = items.firstIndex { $0.name == name }
        switch (index, value) {
        case (let index?, let value?): items[index].value = value
        case (let index?, nil): items.remove(at: index)
        case (nil, let value?): items.append((name, value))
        case (nil, nil): break
        }
    }

    /// These values with others merged over them.
    public func merging(_ other: EndpointArguments) -> EndpointArguments {
        var merged = self
        for (name, value) in other.items { merged.set(value, for: name) }
        return merged
    }
}

extension EndpointArguments: ExpressibleByDictionaryLiteral {
    /// Takes names with values; of those with the same name the last counts.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension EndpointArguments: CustomStringConvertible, CustomReflectable {
    /// The names, nothing of the values.
    public var description: String { "values for \(names.joined(separator: ", "))" }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["arguments": description]) }
}
