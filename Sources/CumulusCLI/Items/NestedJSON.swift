// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A JSON body under construction: each data item puts one value at its path.
struct NestedJSON {
    /// The value so far; `nil` before the first item.
    private(set) var value: JSON?

    /// Puts a value at a key's path; the last one wins.
    ///
    /// - Throws: ``UsageMistake`` if a value of another kind is in the way.
    mutating func put(_ new: JSON, at name: String) throws(UsageMistake) {
        let key = try NestedKey(parsing: name)
        value = try NestedJSON.placing(new, at: key.steps[...], in: value ?? .null, of: name)
    }

    private static func placing(
        _ new: JSON,
        at steps: ArraySlice<NestedKey.Step>,
        in present: JSON,
        of name: String
    ) throws(UsageMistake) -> JSON {
        guard let step = steps.first else { return new }
        let rest = steps.dropFirst()
        switch step {
        case .member(let key):
            guard var members = present.isNull ? JSON.Object() : present.object else {
                throw mistake(name, needs: "an object", butIs: present)
            }
            members[key] = try placing(new, at: rest, in: members[key] ?? .null, of: name)
            return .object(members)
        case .element, .append:
            guard var elements = present.isNull ? [] : present.array else {
                throw mistake(name, needs: "an array", butIs: present)
            }
            let index = if case .element(let number) = step { number } else { elements.count }
            while elements.count <= index { elements.append(.null) }
            elements[index] = try placing(new, at: rest, in: elements[index], of: name)
            return .array(elements)
        }
    }

    private static func mistake(_ name: String, needs wanted: String, butIs present: JSON) -> UsageMistake {
        let kind =
            switch present {
            case .null: "null"
            case .bool: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        return UsageMistake("the key \(quoted(name)) needs \(wanted) where an earlier item put \(kind)")
    }
}
