// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A path into JSON as in jq, `.items[0].name`; `[]` selects each element.
struct JSONFilter: Equatable, Sendable {
    /// One step of the path.
    enum Step: Equatable, Sendable {
        case member(String)
        /// Counted from the end if it is negative.
        case element(Int)
        /// Each element of an array, each value of an object.
        case each
        /// Some elements of an array, as an array; bounds count from the end if they are negative.
        case slice(Int?, Int?)
        /// Some values of an object, as an object.
        case columns([Column])
    }

    /// A member of the objects that `{name, years: .age}` makes.
    struct Column: Equatable, Sendable {
        let name: String
        let steps: [Step]
    }

    /// A value of a type that the path can't continue from.
    struct TypeMismatch: Error, Equatable, CustomStringConvertible {
        let step: String
        let kind: String
        var description: String {
            let mistake = "--filter can't apply \(step) to \(kind)"
            guard kind == "an array", step.begins(with: ".") else { return mistake }
            let name = step.utf8.dropFirst()
            let isNumber = UInt(name.text) != nil
            return mistake
                + (isNumber ? "; [\(name.text)] reads one element" : "; []\(step) reads it from each element")
        }
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
    func values(in json: JSON) throws(TypeMismatch) -> [JSON] { try JSONFilter.values(at: steps, in: json) }

    private static func values(at steps: [Step], in json: JSON) throws(TypeMismatch) -> [JSON] {
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
        case (.slice(let start, let end), .array(let elements)):
            let places = [start ?? 0, end ?? elements.count].map { place in
                min(
                    max(place < 0 ? elements.count.addingReportingOverflow(place).partialValue : place, 0),
                    elements.count
                )
            }
            return [.array(Array(elements[places[0]..<max(places[0], places[1])]))]
        case (.columns(let columns), .object):
            var members: [(String, JSON)] = []
            for column in columns {
                let found = try values(at: column.steps, in: value)
                let isList = column.steps.contains { $0 == .each }
                members.append((column.name, isList ? .array(found) : found.first ?? .null))
            }
            return [.object(JSON.Object(members))]
        case (.member, .null), (.element, .null), (.slice, .null): return [.null]
        case (.member(let name), _): throw TypeMismatch(step: ".\(name)", kind: kind(of: value))
        case (.element(let index), _): throw TypeMismatch(step: "[\(index)]", kind: kind(of: value))
        case (.each, _): throw TypeMismatch(step: "[]", kind: kind(of: value))
        case (.slice, _): throw TypeMismatch(step: "[:]", kind: kind(of: value))
        case (.columns, _): throw TypeMismatch(step: "{}", kind: kind(of: value))
        }
    }

    private static func kind(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
