// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension XML {
    /// Returns the elements at a path below this one, in the document's order: `feed.elements(at: "channel/item")`.
    ///
    /// - Parameters:
    ///   - path: The names separated by `/`; `*` means any element. A name is as written in the document, prefix
    ///     included.
    ///   - namespaces: The URIs for prefixes in the path: such a prefix means the URI, regardless of the document's own
    ///     prefixes.
    /// - Returns: The elements; an empty array if there are none, or if the path is empty or names an attribute.
    public func elements(at path: String, namespaces: [String: String] = [:]) -> [XML] {
        guard !path.utf8.contains(UInt8(ascii: "@")) else { return [] }
        return elements(along: path.parts(at: "/"), namespaces)
    }

    /// Returns the texts at a path below this one: those of elements, or of an attribute if the last name begins with
    /// `@`.
    ///
    /// `feed.texts(at: "channel/item/link/@href")`; the paths are those of ``elements(at:namespaces:)``.
    public func texts(at path: String, namespaces: [String: String] = [:]) -> [String] {
        let parts = path.parts(at: "/")
        guard let last = parts.last, last.begins(with: "@") else {
            return elements(at: path, namespaces: namespaces).map(\.text)
        }
        let name = String(decoding: last.utf8.dropFirst(), as: UTF8.self)
        let owners = parts.count == 1 ? [self] : elements(along: parts.dropLast(), namespaces)
        return owners.compactMap { $0.value(ofAttribute: name, namespaces) }
    }

    /// Returns the first text at a path below this one; `nil` if there is nothing.
    public func text(at path: String, namespaces: [String: String] = [:]) -> String? {
        texts(at: path, namespaces: namespaces).first
    }

    private func elements(along path: [Substring], _ namespaces: [String: String]) -> [XML] {
        var found = [self]
        for part in path {
            let name = String(part)
            found = found.flatMap { element in element.elements.filter { $0.matches(name, namespaces) } }
        }
        return found
    }

    private func matches(_ step: String, _ namespaces: [String: String]) -> Bool {
        if step == "*" { return true }
        guard let prefix = XMLScope.prefix(step), let uri = namespaces[prefix] else { return name == step }
        let local = XML.localName(step)
        return namespace == uri && (local == "*" || localName == local)
    }

    private func value(ofAttribute name: String, _ namespaces: [String: String]) -> String? {
        guard let prefix = XMLScope.prefix(name), let uri = namespaces[prefix] else { return self[attribute: name] }
        return self[attribute: XML.localName(name), in: uri]
    }
}
