// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension OpenAPIReader {
    private static let parameterLimit = 1_000
    /// Fields that are not parameters (OpenAPI 3.1, section 4.8.12.1), since other parts of the document define them.
    private static let ownFields: Set<String> = ["accept", "content-type", "authorization"]

    /// Reads the parameters of a path, and those of its operation, which override others with the same name and place.
    mutating func readParameters(
        _ item: OpenAPINode,
        _ operation: OpenAPINode,
        into endpoint: inout OpenAPIEndpoint
    ) {
        var found: [(name: String, place: String, node: OpenAPINode)] = []
        var positions: [String: Int] = [:]
        let all = (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? [])
        if all.count > OpenAPIReader.parameterLimit {
            note(operation.pointer, "the operation has more than \(OpenAPIReader.parameterLimit) parameters")
        }
        for node in all.prefix(OpenAPIReader.parameterLimit) {
            guard let node = resolved(node) else { continue }
            let place = node.text("in") ?? ""
            guard let name = node.text("name"), !name.isEmpty else {
                if place == "body" {
                    found.append(("", place, node))
                } else {
                    note(node.pointer, "the parameter has no name")
                }
                continue
            }
            if let index = positions["\(place) \(name)"] {
                found[index].node = node
            } else {
                positions["\(place) \(name)"] = found.count
                found.append((name, place, node))
            }
        }
        let variables = endpoint.pathVariables
        for (name, place, node) in found {
            switch place {
            case "path" where variables.contains(name): readPathVariable(name, node, into: &endpoint)
            case "path": note(node.pointer, "the path has no variable \(PeerText.quoted(name))")
            default: break
            }
        }
        for name in variables where positions["path \(name)"] == nil {
            note(endpoint.pointer, "the path's variable \(PeerText.quoted(name)) is not described; it accepts any text")
            let parameter = EndpointParameter(name, in: .path, required: true)
            endpoint.addPathVariable(parameter, named: name, style: "simple", explodes: false)
        }
        for (name, place, node) in found where place != "path" {
            readParameter(name, in: place, node, into: &endpoint)
        }
    }

    private mutating func readPathVariable(_ name: String, _ node: OpenAPINode, into endpoint: inout OpenAPIEndpoint) {
        var parameter = self.parameter(name, in: .path, node)
        parameter.isRequired = true
        let style = pathStyle(of: &parameter, node)
        let isMany = parameter.kind == .list || parameter.kind == .map || parameter.kind == .any
        endpoint.addPathVariable(
            parameter,
            named: name,
            style: style,
            explodes: isMany && (node.bool("explode") ?? false)
        )
    }

    private mutating func readParameter(
        _ name: String,
        in place: String,
        _ node: OpenAPINode,
        into endpoint: inout OpenAPIEndpoint
    ) {
        switch place {
        case "query": endpoint.add(self.parameter(name, in: .query, node))
        case "header":
            if OpenAPIReader.ownFields.contains(name.lowercased()) { return }
            endpoint.add(self.parameter(name, in: .header, node))
        case "cookie": endpoint.add(self.parameter(name, in: .cookie, node))
        case "body" where isSwagger: readSwaggerBody(node, into: &endpoint)
        case "formData" where isSwagger: endpoint.add(self.parameter(name, in: .body, node))
        default: note(node.pointer, "\(PeerText.quoted(name)) has an unknown location: \(PeerText.quoted(place))")
        }
    }

    /// Creates a parameter from its schema.
    mutating func parameter(
        _ name: String,
        in place: EndpointParameter.Place,
        _ node: OpenAPINode
    ) -> EndpointParameter {
        var parameter = EndpointParameter(name, in: place, required: node.bool("required") ?? false)
        parameter.summary = node.text("description").flatMap(OpenAPIReader.firstLine)
        // In Swagger, the schema's members are in the parameter itself.
        let schema = isSwagger ? node : node["schema"]
        guard schema == nil, let content = node["content"]?.members.first else {
            if let schema { describe(&parameter, schema) }
            if place == .query, isListOfElement(parameter, node) { parameter.kind = .list }
            if place != .path { setStyle(of: &parameter, node) }
            return parameter
        }
        if MediaType(content.key)?.isJSON == true {
            if let schema = content.node["schema"] { describe(&parameter, schema) }
            parameter.style = .json
        } else {
            parameter.kind = .text
            note(content.node.pointer, "\(PeerText.quoted(name)) is \(content.key): pass it as text")
        }
        return parameter
    }

    /// Whether a query item is a list although its schema is that of an element, as some documents describe
    /// `statuses[]`: only a list explodes.
    private func isListOfElement(_ parameter: EndpointParameter, _ node: OpenAPINode) -> Bool {
        guard parameter.name.ends(with: "[]"), node.bool("explode") == true else { return false }
        return [.text, .integer, .number, .boolean].contains(parameter.kind)
    }

    /// Sets the kind and values of a parameter from a schema.
    mutating func describe(_ parameter: inout EndpointParameter, _ node: OpenAPINode) {
        guard let schema = resolved(node) else { return }
        if parameter.summary == nil { parameter.summary = schema.text("description").flatMap(OpenAPIReader.firstLine) }
        parameter.kind = kind(schema)
        let listed = parameter.kind == .list ? schema["items"].flatMap { resolved($0) } ?? schema : schema
        guard parameter.kind != .map, let values = listed["enum"]?.value.array, values.count <= 500 else { return }
        let texts = values.filter { !$0.isNull }.compactMap { $0.string ?? $0.number?.text ?? $0.bool.map { "\($0)" } }
        parameter.allowedValues = texts.count == values.count || values.contains(where: \.isNull) ? texts : []
    }

    private mutating func kind(_ schema: OpenAPINode, depth: Int = 0) -> EndpointParameter.Kind {
        let types = schema.text("type").map { [$0] } ?? schema.texts("type")
        switch types.filter({ $0 != "null" }) {
        case ["string"]:
            let format = schema.text("format")
            return format == "binary" || schema.text("contentMediaType") == "application/octet-stream" ? .file : .text
        case ["file"]: return .file
        case ["integer"]: return .integer
        case ["number"]: return .number
        case ["boolean"]: return .boolean
        case ["array"]: return .list
        case ["object"]: return .map
        default: break
        }
        if ["properties", "additionalProperties", "patternProperties"].contains(where: { schema[$0] != nil }) {
            return .map
        }
        if schema["items"] != nil || schema["prefixItems"] != nil { return .list }
        // Pydantic writes an optional value as a union of its type and null.
        let isAll = schema["anyOf"] == nil && schema["oneOf"] == nil
        let choices = (schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"])?.elements ?? []
        let kept = choices.filter { $0.text("type") != "null" }
        guard depth < 8, 1...8 ~= kept.count else { return .any }
        var kinds: Set<EndpointParameter.Kind> = []
        for choice in kept {
            guard let choice = resolved(choice) else { return .any }
            let kind = kind(choice, depth: depth + 1)
            // A part of a composition may add a constraint only.
            if !isAll || kind != .any { kinds.insert(kind) }
            if kinds.count > 1 { return .any }
        }
        return kinds.first ?? .any
    }

    static func firstLine(_ text: String) -> String? {
        text.parts(at: "\n").first { !$0.trimmed.isEmpty }.map { PeerText.printable($0.trimmed) }
    }
}
