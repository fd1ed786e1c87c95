// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension XML {
    /// Creates an element in a namespace, and declares it: `XML("atom:link", in: "http://www.w3.org/2005/Atom")`.
    ///
    /// Its descendants with the same prefix, or without a prefix if this element has none, are also in the namespace,
    /// unless they declare another namespace.
    ///
    /// - Parameters:
    ///   - name: The element's name, with its prefix if it has one.
    ///   - namespace: The URI.
    ///   - attributes: Names with values, in order.
    ///   - content: The element's content; see ``XMLBuilder``.
    public init(
        _ name: String,
        in namespace: String,
        attributes: KeyValuePairs<String, String> = [:],
        @XMLBuilder content: () throws -> [Node] = { [] }
    ) rethrows {
        self.init(name, attributes: attributes, children: try content())
        let prefix = XMLScope.prefix(name)
        let declaration = prefix.map { "xmlns:\($0)" } ?? "xmlns"
        if self[attribute: declaration] == nil {
            self.attributes.insert(Attribute(name: declaration, value: namespace), at: 0)
        }
        take(namespace, of: prefix, declaration)
    }

    /// The first element with a local name in a namespace; `nil` if there is none.
    public subscript(localName: String, in namespace: String) -> XML? {
        elements.first { $0.isNamed(localName, in: namespace) }
    }

    /// Returns the elements with a local name in a namespace, in order.
    public func elements(_ localName: String, in namespace: String) -> [XML] {
        elements.filter { $0.isNamed(localName, in: namespace) }
    }

    /// The value of an attribute by its local name and namespace; `nil` if there is none.
    public subscript(attribute localName: String, in namespace: String) -> String? {
        attributes.first { $0.namespace == namespace && XML.localName($0.name) == localName }?.value
    }

    /// Whether this element has a local name in a namespace.
    public func isNamed(_ localName: String, in namespace: String) -> Bool {
        self.namespace == namespace && self.localName == localName
    }

    static func localName(_ name: String) -> String { name.cut(at: ":").map { String($0.behind) } ?? name }

    /// Applies a declaration of an ancestor.
    private mutating func take(_ namespace: String, of prefix: String?, _ declaration: String) {
        if XMLScope.prefix(name) == prefix, self.namespace == nil { self.namespace = namespace }
        for index in attributes.indices where prefix != nil && XMLScope.prefix(attributes[index].name) == prefix {
            attributes[index].namespace = attributes[index].namespace ?? namespace
        }
        for index in children.indices {
            guard case .element(var inner) = children[index], inner[attribute: declaration] == nil else { continue }
            inner.take(namespace, of: prefix, declaration)
            children[index] = .element(inner)
        }
    }
}
