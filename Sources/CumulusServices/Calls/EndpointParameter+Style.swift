// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
import CumulusPrimitives

extension EndpointParameter {
    /// The style of a list or a map in a query, a header field, a cookie, or a form.
    ///
    /// A value that can't be written in the style is refused before anything is sent:
    /// ``EndpointProblem/unusableValue(parameter:reason:)``.
    public enum Style: String, Sendable, Hashable, CaseIterable {
        /// A list becomes several items, `n=1&n=2`; a map becomes an item for each of its members, `k=v&l=w`.
        case repeated
        /// A list becomes several items, `n=1&n=2`; maps, and lists in lists, become JSON.
        case fields
        /// Values are separated by commas, `n=1,2`; a map's names and values alternate, `n=k,v`.
        case commas
        /// The same as ``commas``, with spaces as separators.
        case spaces
        /// The same as ``commas``, with vertical bars as separators.
        case pipes
        /// The same as ``commas``, with tabs as separators.
        case tabs
        /// A map becomes `k=v,l=w`; a list is written as with ``commas``.
        case members
        /// Names are in brackets: `n[]=1`, `n[k]=v`. Elements that are lists or maps have indexes: `n[0][k]=v`.
        case brackets
        /// The whole value is written as JSON.
        case json

        /// The text between elements.
        fileprivate var separator: String? {
            switch self {
            case .commas, .members: ","
            case .spaces: " "
            case .pipes: "|"
            case .tabs: "\t"
            case .repeated, .fields, .brackets, .json: nil
            }
        }
    }
}

/// A value as an item of a query or a form, or as one part.
struct EndpointField: Sendable {
    /// The content.
    enum Content: Sendable {
        case text(String)
        /// Elements with a separator between them.
        case joined([String], by: String)
        case json(JSON)
    }

    let name: String
    let content: Content
}

extension EndpointParameter {
    /// The fields of a form for a value of the command line; without a style, in brackets or, as parts, as JSON.
    package func formFields(
        of value: JSON,
        asParts: Bool
    ) throws(EndpointProblem) -> [(name: String, text: String, isJSON: Bool)] {
        try checkCount(of: .value(value))
        let isPlain = value.array == nil && value.object == nil
        let style = style ?? (asParts && !isPlain ? .json : .brackets)
        var written: [(name: String, text: String, isJSON: Bool)] = []
        for field in try fields(of: .value(value), style) {
            let isJSON = if case .json = field.content { true } else { false }
            written.append((field.name, try content(of: field), isJSON))
        }
        return written
    }

    /// The fields that have a value.
    func fields(of value: EndpointValue, _ style: Style) throws(EndpointProblem) -> [EndpointField] {
        let written = try value.queryValue(of: name)
        if style == .json { return [field(.json(try json(of: value)))] }
        switch (written, style) {
        case (.text, _), (.bool, _): return [field(.text(written.string ?? ""))]
        case (.list(let elements), .repeated): return try texts(elements).map { field(.text($0)) }
        case (.map(let members), .repeated):
            let texts = try texts(members.map(\.value))
            return zip(members, texts).map { EndpointField(name: $0.name, content: .text($1)) }
        case (.list(let elements), .fields):
            let values = try json(of: value).array ?? []
            return zip(elements, values).map { element, value in
                if let text = element.string { field(.text(text)) } else { field(.json(value)) }
            }
        case (.map, .fields): return [field(.json(try json(of: value)))]
        case (_, .brackets):
            var found: [EndpointField] = []
            EndpointParameter.flatten(written, named: sentName, into: &found)
            return found
        case (.list(let elements), _): return try joined(elements, style)
        case (.map(let members), .members):
            let texts = try texts(members.map(\.value))
            return try joined(zip(members, texts).map { QueryValue.text("\($0.name)=\($1)") }, style)
        case (.map(let members), _):
            return try joined(members.flatMap { [QueryValue.text($0.name), $0.value] }, style)
        }
    }

    private func field(_ content: EndpointField.Content) -> EndpointField {
        EndpointField(name: sentName, content: content)
    }

    private func joined(_ elements: [QueryValue], _ style: Style) throws(EndpointProblem) -> [EndpointField] {
        if elements.isEmpty { return [] }
        return [field(.joined(try texts(elements), by: style.separator ?? ","))]
    }

    /// The texts of elements, which may not be lists or maps.
    private func texts(_ elements: [QueryValue]) throws(EndpointProblem) -> [String] {
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else {
            throw refusal("contains a list or a map, which the parameter's style can't represent")
        }
        return texts
    }

    /// The value as JSON; a text that is JSON already stays one, unless the parameter is a text.
    private func json(of value: EndpointValue) throws(EndpointProblem) -> JSON {
        let json = try value.json(of: name)
        guard kind != .text, let text = json.string else { return json }
        return (try? JSON(parsing: text)) ?? json
    }

    private static func flatten(_ value: QueryValue, named name: String, into fields: inout [EndpointField]) {
        switch value {
        case .text, .bool: fields.append(EndpointField(name: name, content: .text(value.string ?? "")))
        case .list(let elements):
            let isNested = elements.needIndexes
            for (index, element) in elements.enumerated() {
                flatten(element, named: isNested ? "\(name)[\(index)]" : "\(name)[]", into: &fields)
            }
        case .map(let members):
            for member in members { flatten(member.value, named: "\(name)[\(member.name)]", into: &fields) }
        }
    }

    private func refusal(_ reason: String) -> EndpointProblem { .unusableValue(parameter: name, reason: reason) }

    /// The elements with a separator between them, which none of them may contain.
    private func joined(_ elements: [String], by separator: String) throws(EndpointProblem) -> String {
        guard elements.allSatisfy({ !$0.has(separator) }) else {
            throw refusal("contains \(PeerText.quoted(separator)) in an element, which would split the element")
        }
        return elements.joined(separator: separator)
    }

    /// Refuses a list or a map for a parameter that takes one value.
    func checkCount(of value: EndpointValue) throws(EndpointProblem) {
        switch kind {
        case .any, .list, .map, .file: return
        case .text, .integer, .number, .boolean: break
        }
        guard style != .json, case .value = value, try value.queryValue(of: name).string == nil else { return }
        throw refusal("is a list or a map, but the parameter accepts a single value")
    }

    // MARK: Places

    /// The items of a query or an encoded form.
    func items(of value: EndpointValue) throws(EndpointProblem) -> Query {
        let written = try value.queryValue(of: name)
        var items = Query()
        guard let style else {
            items.add(written, for: sentName)
            return items
        }
        for field in try fields(of: value, style) {
            guard case .joined(let elements, by: ",") = field.content else {
                items.add(try content(of: field), for: field.name)
                continue
            }
            // A comma in an element is escaped, and so is told from one between elements.
            let escaped = elements.map { PercentEncoding.encode($0) }.joined(separator: ",")
            items.append(contentsOf: Query(parsing: "\(PercentEncoding.encode(field.name))=\(escaped)"))
        }
        return items
    }

    /// The values of a header field.
    func headerTexts(of value: EndpointValue) throws(EndpointProblem) -> [String] {
        guard let style else {
            guard let text = try value.queryValue(of: name).headerText else {
                throw refusal("is not valid in a header field")
            }
            return [text]
        }
        return try ownTexts(of: value, style)
    }

    /// The cookies, `name=value`.
    func cookies(of value: EndpointValue) throws(EndpointProblem) -> [String] {
        let texts = try ownTexts(of: value, style ?? .commas)
        guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") } }) else {
            throw refusal("contains a character that is not allowed in a cookie")
        }
        return texts.map { "\(sentName)=\($0)" }
    }

    /// The texts of fields that have the parameter's own name: a map's members don't become header fields or cookies.
    private func ownTexts(of value: EndpointValue, _ style: Style) throws(EndpointProblem) -> [String] {
        var texts: [String] = []
        for field in try fields(of: value, style) {
            guard field.name == sentName else {
                throw refusal("is a map or a list, which the parameter's style can't represent there")
            }
            texts.append(try content(of: field))
        }
        return texts
    }

    /// The text of a field's content.
    private func content(of field: EndpointField) throws(EndpointProblem) -> String {
        switch field.content {
        case .text(let text): return text
        case .json(let json): return json.text
        case .joined(let elements, let separator): return try joined(elements, by: separator)
        }
    }

    /// The parts of a form.
    func parts(of value: EndpointValue) throws(EndpointProblem) -> [(name: String, part: MultipartPart)] {
        if case .part(let part) = value { return [(sentName, part)] }
        let isPlain = try value.queryValue(of: name).string != nil
        var parts: [(name: String, part: MultipartPart)] = []
        for field in try fields(of: value, style ?? (isPlain ? .fields : .json)) {
            if case .json(let json) = field.content {
                parts.append((field.name, .json(json)))
            } else {
                parts.append((field.name, .text(try content(of: field))))
            }
        }
        return parts
    }
}

extension JSON {
    /// The value's text.
    fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension QueryValue {
    /// The value in a header field: a list's elements are separated by commas.
    fileprivate var headerText: String? {
        switch self {
        case .text, .bool: string
        case .list(let elements): elements.needIndexes ? nil : elements.compactMap(\.string).joined(separator: ", ")
        case .map: nil
        }
    }
}

extension [QueryValue] {
    /// Whether an element is a list or has members, so that the elements need indexes.
    fileprivate var needIndexes: Bool { contains { $0.string == nil } }
}
