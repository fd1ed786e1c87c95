// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A value before it is put at its place in a request.
enum EndpointValue: Sendable {
    case value(any Encodable & Sendable)
    case part(MultipartPart)

    /// Converts an argument for its parameter; `nil` if it has no value.
    init?(_ argument: EndpointArguments.Given, for parameter: EndpointParameter) throws(EndpointProblem) {
        switch argument {
        case .part(let part): self = .part(part)
        case .value(let value):
            guard let value = EndpointValue.present(value) else { return nil }
            self = .value(value)
            try check(parameter)
        case .text(let text):
            self = try EndpointValue.read(text, for: parameter)
            try check(parameter)
        }
    }

    /// The value, unless it is `nil`.
    private static func present(_ value: any Encodable & Sendable) -> (any Encodable & Sendable)? {
        if let json = value as? JSON, json.isNull { return nil }
        guard let optional = value as? any AnyOptional else { return value }
        return optional.wrapped == nil ? nil : value
    }

    /// Parses a command line's text by the parameter's kind.
    private static func read(
        _ text: String,
        for parameter: EndpointParameter
    ) throws(EndpointProblem) -> EndpointValue {
        let problem = { (wanted: String) in
            let reason = "must be a \(wanted), not \(PeerText.quoted(text))"
            return EndpointProblem.unusableValue(parameter: parameter.name, reason: reason)
        }
        switch parameter.kind {
        case .any, .text: return .value(text)
        case .file: return .part(.file(text))
        case .boolean:
            if text == "true" { return .value(true) }
            if text == "false" { return .value(false) }
            throw problem("Boolean")
        case .integer:
            guard let number = Int64(text) else { throw problem("whole number") }
            return .value(number)
        case .number:
            guard let json = try? JSON(parsing: text), json.number != nil else { throw problem("number") }
            return .value(json)
        case .list: return .value(text.isEmpty ? [] : text.parts(at: ",").map(String.init))
        case .map:
            guard let json = try? JSON(parsing: text), json.object != nil else { throw problem("JSON object") }
            return .value(json)
        }
    }

    private func check(_ parameter: EndpointParameter) throws(EndpointProblem) {
        guard !parameter.allowedValues.isEmpty, case .value = self else { return }
        let value = try queryValue(of: parameter.name)
        let texts: [String?]
        if case .list(let list) = value { texts = list.map(\.string) } else { texts = [value.string] }
        guard texts.allSatisfy({ text in text.map(parameter.allowedValues.contains) ?? false }) else {
            let allowed = parameter.allowedValues.joined(separator: ", ")
            throw .unusableValue(parameter: parameter.name, reason: "must be one of \(allowed)")
        }
    }

    /// The value for a path, a query or a form.
    func queryValue(of name: String) throws(EndpointProblem) -> QueryValue {
        guard case .value(let value) = self else {
            throw .unusableValue(parameter: name, reason: "is a part, which only a multipart body can have")
        }
        if let value = value as? any QueryEncodable { return value.queryValue }
        return QueryValue(ofJSON: try json(of: name))
    }

    /// The value as JSON.
    func json(of name: String) throws(EndpointProblem) -> JSON {
        guard case .value(let value) = self else {
            throw .unusableValue(parameter: name, reason: "is a part, which only a multipart body can have")
        }
        if let json = value as? JSON { return json }
        do {
            return try JSON(encoding: value)
        } catch {
            throw .unusableValue(parameter: name, reason: "can't be encoded: \(error)")
        }
    }
}

extension QueryValue {
    /// Converts a JSON value: scalars become texts.
    init(ofJSON json: JSON) {
        switch json {
        case .null: self = .text("")
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .text(number.text)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map { QueryValue(ofJSON: $0) })
        case .object(let object): self = .map(object.map { Member(name: $0.key, value: QueryValue(ofJSON: $0.value)) })
        }
    }
}
