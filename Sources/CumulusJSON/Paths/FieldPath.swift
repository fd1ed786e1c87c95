// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The path of a value inside another: `user.name`, `tags[0]`, `items.0.id`; the empty path is the value itself.
///
/// A backslash escapes a dot, a bracket or a backslash: `a\.b` is one member.
public struct FieldPath: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        /// A member of an object; also an element, if the name is a number and the value an array.
        case member(String)
        case element(Int)
    }

    /// The limit of arrays that are created to reach an element.
    private static let largestElement = 9_999

    let steps: [Step]
    /// The path as it was written.
    public let description: String

    /// Creates a path from its text.
    ///
    /// - Throws: ``FieldProblem`` of the kind `path`.
    public init(parsing text: String) throws(FieldProblem) {
        var steps: [Step] = []
        var name = String.UnicodeScalarView()
        var expectsName = true
        // Scalars, since a combining mark may follow a dot.
        var rest = text.unicodeScalars[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let escaped = rest.popFirst() else { throw FieldPath.problem(text) }
                name.append(escaped)
                expectsName = false
            case "." where expectsName: throw FieldPath.problem(text)
            case ".", "[":
                if !name.isEmpty { steps.append(.member(String(name))) }
                (name, expectsName) = (String.UnicodeScalarView(), character == ".")
                guard character == "[" else { continue }
                guard let end = rest.firstIndex(of: "]" as Unicode.Scalar),
                    let index = FieldPath.index(Substring(rest[..<end])),
                    FieldPath.endsStep(Substring(rest[rest.index(after: end)...]))
                else { throw FieldPath.problem(text) }
                steps.append(.element(index))
                rest = rest[rest.index(after: end)...]
            default:
                name.append(character)
                expectsName = false
            }
        }
        if !name.isEmpty { steps.append(.member(String(name))) }
        guard !expectsName || text.isEmpty else { throw FieldPath.problem(text) }
        self.steps = steps
        description = text
    }

    init(_ steps: [Step], description: String) {
        self.steps = steps
        self.description = description
    }

    /// Creates the path of one member, whose name may contain any characters.
    public init(member name: String) {
        steps = [.member(name)]
        description = name
    }

    /// Returns the value at the path; `nil` if it is missing.
    public func value(in json: JSON) -> JSON? {
        var value = json
        for step in steps {
            switch (step, value) {
            case (.member(let name), .object(let members)):
                guard let member = members[name] else { return nil }
                value = member
            case (.member(let name), .array(let elements)):
                guard let index = FieldPath.index(name), elements.indices.contains(index) else { return nil }
                value = elements[index]
            case (.element(let index), .array(let elements)) where elements.indices.contains(index):
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// Returns a copy of `json` with a new value at the path.
    ///
    /// Missing objects and arrays are created, and arrays are filled with `null`.
    ///
    /// It returns `nil` if a value on the path is of a different kind.
    public func placing(_ new: JSON, in json: JSON) -> JSON? { FieldPath.placing(new, at: steps[...], in: json) }

    private static func placing(_ new: JSON, at steps: ArraySlice<Step>, in json: JSON) -> JSON? {
        guard let step = steps.first else { return new }
        let rest = steps.dropFirst()
        switch step {
        case .member(let name):
            // A number without an existing container makes an array, since it also reads from one.
            if let elements = json.isNull ? [] : json.array, let index = index(name), String(index) == name {
                return placing(new, at: rest, in: elements, index)
            }
            guard var members = json.isNull ? JSON.Object() : json.object,
                let member = placing(new, at: rest, in: members[name] ?? .null)
            else { return nil }
            members[name] = member
            return .object(members)
        case .element(let index):
            guard let elements = json.isNull ? [] : json.array else { return nil }
            return placing(new, at: rest, in: elements, index)
        }
    }

    private static func placing(_ new: JSON, at rest: ArraySlice<Step>, in elements: [JSON], _ index: Int) -> JSON? {
        var elements = elements
        while elements.count <= index { elements.append(.null) }
        guard let element = placing(new, at: rest, in: elements[index]) else { return nil }
        elements[index] = element
        return .array(elements)
    }

    private static func index(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(text).flatMap { $0 <= largestElement ? $0 : nil }
    }

    private static func endsStep(_ rest: Substring) -> Bool {
        rest.isEmpty || rest.begins(with: "[") || rest.begins(with: ".") && rest.utf8.count > 1
    }

    private static func problem(_ text: String) -> FieldProblem {
        FieldProblem(
            .path,
            key: "",
            path: text,
            "it is not a path: separate names with dots, and put indexes in brackets"
        )
    }
}

extension FieldPath: CustomStringConvertible {}

extension FieldPath {
    /// Parses a path, or a JSON Pointer (RFC 6901) if the text begins with a slash: `meta.next`, `/meta/next`.
    ///
    /// An invalid path is used as the name of one member.
    package init(anywhere text: String) {
        if text.begins(with: "/"), let names = JSONPointer.names(text) {
            self.init(names.map(Step.member), description: text)
        } else {
            self = (try? FieldPath(parsing: text)) ?? FieldPath(member: text)
        }
    }
}
