// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A path into JSON as in jq, `.items[0].name`; `[]` selects each element.
struct JSONFilter: Equatable, Sendable {
    /// One step of the path.
    enum Step: Equatable, Sendable {
        case member(String)
        /// Counted from the end if it is negative.
        case element(Int)
        /// Each element of an array, each value of an object.
        case each
    }

    /// A value of a type that the path can't continue from.
    struct TypeMismatch: Error, Equatable, CustomStringConvertible {
        let step: String
        let kind: String
        var description: String { "--filter can't go on with \(step): there is \(kind)" }
    }

    /// The response is not valid JSON.
    struct Unreadable: Error, CustomStringConvertible {
        /// The option that requires it.
        var option = "--filter"
        let reason: String
        var description: String { "\(option) needs JSON: \(reason)" }
    }

    let steps: [Step]

    /// The values at the path, in order; null for missing members and elements.
    func values(in json: JSON) throws(TypeMismatch) -> [JSON] {
        var values = [json]
        for step in steps {
            var next: [JSON] = []
            for value in values { next += try JSONFilter.values(of: step, in: value) }
            values = next
        }
        return values
    }

    private static func values(of step: Step, in value: JSON) throws(TypeMismatch) -> [JSON] {
        switch (step, value) {
        case (.member(let name), .object(let object)): return [object[name] ?? .null]
        case (.element(let index), .array(let elements)):
            let place = index < 0 ? elements.count + index : index
            return [elements.indices.contains(place) ? elements[place] : .null]
        case (.each, .array(let elements)): return elements
        case (.each, .object(let object)): return object.map(\.value)
        case (.member, .null), (.element, .null): return [.null]
        case (.member(let name), _): throw TypeMismatch(step: ".\(name)", kind: kind(of: value))
        case (.element(let index), _): throw TypeMismatch(step: "[\(index)]", kind: kind(of: value))
        case (.each, _): throw TypeMismatch(step: "[]", kind: kind(of: value))
        }
    }

    private static func kind(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
