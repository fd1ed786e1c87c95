// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices

/// The values of a form's fields, collected from the items of a call.
///
/// They are written as the endpoint's description says, when all items are known: a list may be several items.
struct CallFields {
    private struct Field {
        let parameter: EndpointParameter
        /// Before which of the other items it stands.
        let place: Int
        var values: [JSON] = []
        var members = NestedJSON()
        var hasMembers = false
    }

    private var fields: [Field] = []

    /// Adds a value, or a member of one at a name with brackets.
    mutating func add(
        _ value: JSON,
        at name: String?,
        to parameter: EndpointParameter,
        before place: Int
    ) throws(UsageMistake) {
        let index = fields.firstIndex { $0.parameter.name == parameter.name } ?? fields.count
        if index == fields.count { fields.append(Field(parameter: parameter, place: place)) }
        guard let name else { return fields[index].values.append(value) }
        fields[index].hasMembers = true
        try fields[index].members.put(value, at: name)
    }

    /// Writes the fields among the other items, in their order.
    func write(into items: inout [RequestItem], asParts: Bool) throws(UsageMistake) {
        for field in fields.reversed() {
            let value = try CallFields.value(of: field)
            do throws(EndpointProblem) {
                let written = try field.parameter.formFields(of: value, asParts: asParts)
                items.insert(contentsOf: written.map { CallFields.item($0, isPart: asParts) }, at: field.place)
            } catch {
                throw UsageMistake("\(error)")
            }
        }
    }

    private static func value(of field: Field) throws(UsageMistake) -> JSON {
        let name = quoted(field.parameter.name)
        if field.hasMembers {
            guard field.values.isEmpty else { throw UsageMistake("\(name) is set both to a value and to members") }
            return field.members.value?.object?.first?.value ?? .null
        }
        guard field.values.count > 1 else { return field.values[0] }
        guard field.parameter.kind == .list || field.parameter.kind == .any else {
            throw UsageMistake("\(name) is set twice, but accepts only one value")
        }
        return .array(field.values.flatMap { $0.array ?? [$0] })
    }

    /// The item of a field; one whose text could be read as more than a text is quoted.
    ///
    /// JSON is a part of its own type, and in other forms a text.
    private static func item(_ field: (name: String, text: String, isJSON: Bool), isPart: Bool) -> RequestItem {
        if field.isJSON, isPart { return RequestItem(kind: .json, name: field.name, value: field.text) }
        guard field.text.has(";type=") else { return RequestItem(kind: .text, name: field.name, value: field.text) }
        let quoted = String(decoding: JSON.string(field.text).encoded(), as: UTF8.self)
        return RequestItem(kind: .json, name: field.name, value: quoted)
    }
}
