// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The URI of each prefix at the parser's position (Namespaces in XML 1.0, section 6).
struct XMLScope {
    static let xml = "http://www.w3.org/XML/1998/namespace"

    /// For each prefix, the URIs that open elements declare, the innermost last; the default's prefix is empty.
    private var uris: [String: [String]] = [:]
    /// The prefixes that each open element declares.
    private var declared: [[String]] = []
    private var isUsed = false

    /// Enters an element: its declarations apply to itself, too.
    mutating func enter(_ element: inout XML) {
        var prefixes: [String] = []
        for attribute in element.attributes {
            guard let prefix = XMLScope.declaredPrefix(attribute.name) else { continue }
            isUsed = true
            prefixes.append(prefix)
            uris[prefix, default: []].append(attribute.value)
        }
        declared.append(prefixes)
        guard isUsed || element.name.utf8.contains(UInt8(ascii: ":")) || !element.attributes.isEmpty else { return }
        element.namespace = uri(of: XMLScope.prefix(element.name) ?? "")
        for index in element.attributes.indices {
            // An attribute without a prefix is in no namespace, whatever the default is.
            guard let prefix = XMLScope.prefix(element.attributes[index].name), prefix != "xmlns" else { continue }
            element.attributes[index].namespace = uri(of: prefix)
        }
    }

    /// Leaves the element that was entered last.
    mutating func leave() {
        for prefix in declared.popLast() ?? [] { uris[prefix]?.removeLast() }
    }

    private func uri(of prefix: String) -> String? {
        if prefix == "xml" { return XMLScope.xml }
        guard let uri = uris[prefix]?.last, !uri.isEmpty else { return nil }
        return uri
    }

    /// The prefix of a name; `nil` if it has none.
    static func prefix(_ name: String) -> String? { name.cut(at: ":").map { String($0.before) } }

    /// The prefix that an attribute declares, empty for the default; `nil` if it declares none.
    static func declaredPrefix(_ name: String) -> String? {
        if name == "xmlns" { return "" }
        guard name.begins(with: "xmlns:") else { return nil }
        return String(decoding: name.utf8.dropFirst(6), as: UTF8.self)
    }
}
