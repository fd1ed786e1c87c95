// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// Values for an endpoint's parameters, by name: `["login": "weipin", "page": 2, "private": nil]`.
///
/// Any `Encodable` value is accepted. The endpoint's description determines where and in which form a value is sent;
/// `nil` means no value.
public struct EndpointArguments: Sendable {
    enum Given: Sendable {
        case value(any Encodable & Sendable)
        case part(MultipartPart)
        /// A string that is parsed by the parameter's kind.
        case text(String)
    }

    private(set) var items: [(name: String, value: Given)] = []

    /// Creates an empty set of values.
    public init() {}

    /// Creates values from strings, such as those on a command line.
    ///
    /// Each string is parsed according to its parameter's ``EndpointParameter/Kind``; the string for a file is its
    /// path.
    public init(texts: [(String, String)]) {
        for (name, text) in texts { set(.text(text), for: name) }
    }

    /// The value of a parameter; `nil` if it is missing, is a multipart part, or was passed as text.
    public subscript(name: String) -> (any Encodable & Sendable)? {
        get {
            guard case .value(let value)? = items.first(where: { $0.name == name })?.value else { return nil }
            return value
        }
        set { set(newValue.map(Given.value), for: name) }
    }

    /// Adds a part of a multipart body, such as a file.
    public mutating func attach(_ part: MultipartPart, for name: String) { set(.part(part), for: name) }

    /// The names that have values, in the order in which they were set.
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

    /// Returns a copy of these values with others merged over them.
    public func merging(_ other: EndpointArguments) -> EndpointArguments {
        var merged = self
        for (name, value) in other.items { merged.set(value, for: name) }
        return merged
    }
}

extension EndpointArguments: ExpressibleByDictionaryLiteral {
    /// Creates values from a literal; if a name is repeated, its last value is used.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension EndpointArguments: Redacted {
    /// The names, without the values.
    public var description: String { "values for \(names.joined(separator: ", "))" }
}
