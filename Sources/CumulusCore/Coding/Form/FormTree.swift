// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A form as a tree: names are split at their brackets, and the values put at the resulting places.
struct FormTree {
    /// A place in the form; a class, so that a form of many names is built in place.
    private final class Node {
        var texts: [String] = []
        var elements: [Node] = []
        var names: [String] = []
        var members: [String: Node] = [:]

        /// The member of a name, created if there is none.
        func member(_ name: String) -> Node {
            if let known = members[name] { return known }
            let new = Node()
            members[name] = new
            names.append(name)
            return new
        }

        /// The element that a member belongs to: the last, unless it already has that member.
        func element(for member: String?) -> Node {
            if let member, let last = elements.last, last.members[member] == nil { return last }
            let new = Node()
            elements.append(new)
            return new
        }
    }

    /// How deep brackets may be nested.
    private static let maximumDepth = 32

    private let root = Node()

    /// Puts a value at the place of a name: `a[b][]`.
    func add(_ text: String, at name: String) throws {
        let steps = FormTree.steps(of: name)
        guard steps.count <= FormTree.maximumDepth else {
            throw CodingProblem("a form's names may be nested at most \(FormTree.maximumDepth) levels deep")
        }
        var node = root
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            guard step.isEmpty ? node.names.isEmpty : node.elements.isEmpty else {
                throw CodingProblem(
                    "the form's name \(PeerText.quoted(name)) is used both for elements and for members"
                )
            }
            node = step.isEmpty ? node.element(for: next) : node.member(step)
            let isLast = next == nil
            // A value can't also have members.
            guard isLast ? node.names.isEmpty : node.texts.isEmpty || next?.isEmpty == true else {
                throw CodingProblem("the form's name \(PeerText.quoted(step)) is used both for a value and for members")
            }
        }
        node.texts.append(text)
    }

    /// The form as an object of texts, arrays and objects.
    var json: JSON { .object(FormTree.object(root)) }

    private static func object(_ node: Node) -> JSON.Object {
        JSON.Object(node.names.map { ($0, node.members[$0].map(value) ?? .null) })
    }

    private static func value(_ node: Node) -> JSON {
        if node.names.isEmpty {
            let texts = node.texts.map(JSON.string)
            guard node.elements.isEmpty, texts.count == 1, let text = texts.first else {
                return .array(texts + node.elements.map(value))
            }
            return text
        }
        // `a[0]=x&a[1]=y` is an ordered list, as some frameworks write it.
        guard node.names.enumerated().allSatisfy({ String($0) == $1 }) else { return .object(object(node)) }
        return .array(node.names.compactMap { node.members[$0].map(value) })
    }

    /// Splits a name: `a[b][]` is `a`, `b` and an empty name; a name with unpaired brackets is one step.
    private static func steps(of name: String) -> [String] {
        guard let (start, behind) = name.cut(at: "["), !start.isEmpty, name.ends(with: "]"),
            let inner = behind.cut(atLast: "]")?.before
        else { return [name] }
        let steps = inner.parts(at: "]")
        // Each part except the first begins with its bracket, and has no other.
        guard steps.dropFirst().allSatisfy({ $0.begins(with: "[") }) else { return [name] }
        let names = steps.prefix(1) + steps.dropFirst().map { Substring($0.utf8.dropFirst()) }
        guard !names.contains(where: { $0.has("[") }) else { return [name] }
        return [String(start)] + names.map(String.init)
    }
}
