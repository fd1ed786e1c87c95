// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

extension OpenAPIReader {
    private static let propertyLimit = 500
    private static let compositionDepth = 8

    /// Reads the body of an operation's request.
    mutating func readBody(_ operation: OpenAPINode, into endpoint: inout OpenAPIEndpoint) {
        if isSwagger { return readSwaggerForm(operation, into: &endpoint) }
        guard let node = operation["requestBody"], let body = resolved(node) else { return }
        let contents = body["content"]?.members ?? []
        guard let chosen = OpenAPIReader.chosen(contents) else { return }
        for other in contents where other.key != chosen.key {
            note(other.node.pointer, "the body is sent as \(chosen.key); to send \(other.key), pass the whole body")
        }
        let content = resolved(chosen.node) ?? chosen.node
        addBody(
            content["schema"],
            content["encoding"],
            type: chosen.key,
            isRequired: body.bool("required") ?? false,
            into: &endpoint
        )
    }

    /// Adds a body of a media type: the members of an object become parameters.
    private mutating func addBody(
        _ schema: OpenAPINode?,
        _ encoding: OpenAPINode?,
        type: String,
        isRequired: Bool,
        into endpoint: inout OpenAPIEndpoint
    ) {
        if endpoint.method == .get || endpoint.method == .head {
            return note(endpoint.pointer, "a \(endpoint.method.rawValue) request can't have a body")
        }
        guard let media = MediaType(type) else {
            return note(endpoint.pointer, "\(PeerText.quoted(type)) is not a media type for a body")
        }
        switch media.essence {
        case "application/x-www-form-urlencoded": endpoint.bodyFormat = .form
        case "multipart/form-data": endpoint.bodyFormat = .multipart
        case "application/json", "*/*", "application/*": endpoint.bodyFormat = .json
        case _ where media.isJSON:
            endpoint.bodyFormat = .json
            endpoint.headers[.contentType] = media.description
        default:
            endpoint.bodyFormat = .media(media)
            return
        }
        guard let schema else { return }
        var properties: [(name: String, node: OpenAPINode)] = []
        var required: Set<String> = []
        collect(schema, &properties, &required, depth: 0)
        if properties.count > OpenAPIReader.propertyLimit {
            note(schema.pointer, "the body has more than \(OpenAPIReader.propertyLimit) members")
        }
        for (name, node) in properties.prefix(OpenAPIReader.propertyLimit) {
            guard !name.isEmpty, let property = resolved(node) else { continue }
            if property.bool("readOnly") == true { continue }
            var parameter = EndpointParameter(name, in: .body, required: isRequired && required.contains(name))
            describe(&parameter, property)
            if endpoint.bodyFormat != .json { setEncoding(of: &parameter, encoding?[name]) }
            // A list of files becomes one part per file.
            if endpoint.bodyFormat != .multipart, parameter.kind == .file { parameter.kind = .text }
            endpoint.add(parameter)
        }
    }

    /// Collects the members of an object, including those of its composed schemas.
    private mutating func collect(
        _ node: OpenAPINode,
        _ properties: inout [(name: String, node: OpenAPINode)],
        _ required: inout Set<String>,
        depth: Int
    ) {
        guard depth < OpenAPIReader.compositionDepth else {
            let limit = OpenAPIReader.compositionDepth
            return note(node.pointer, "the schema's composition is more than \(limit) levels deep")
        }
        guard let schema = resolved(node) else { return }
        for part in schema["allOf"]?.elements.prefix(32) ?? [] {
            if properties.count > OpenAPIReader.propertyLimit { return }
            collect(part, &properties, &required, depth: depth + 1)
        }
        required.formUnion(schema.texts("required").prefix(OpenAPIReader.propertyLimit))
        for (name, property) in schema["properties"]?.members.prefix(OpenAPIReader.propertyLimit + 1) ?? [] {
            if let index = properties.firstIndex(where: { $0.name == name }) {
                properties[index].node = property
            } else {
                properties.append((name, property))
            }
        }
        if schema["properties"] == nil, let choices = schema["oneOf"] ?? schema["anyOf"] {
            note(choices.pointer, "the body is one of several types: pass the whole body")
        }
    }

    private static func chosen(_ contents: [(key: String, node: OpenAPINode)]) -> (key: String, node: OpenAPINode)? {
        let preferred: [(String) -> Bool] = [
            { MediaType($0)?.essence == "application/json" },
            { $0.lowercased().begins(with: "multipart/form-data") },
            { $0.lowercased().begins(with: "application/x-www-form-urlencoded") },
            { MediaType($0)?.isJSON ?? false },
        ]
        for fits in preferred {
            if let found = contents.first(where: { fits($0.key) }) { return found }
        }
        return contents.first
    }

    // MARK: Swagger 2

    private func types(_ member: String, _ operation: OpenAPINode) -> [String] {
        let own = operation.texts(member)
        return own.isEmpty ? root.texts(member) : own
    }

    /// Reads the body parameter.
    mutating func readSwaggerBody(_ node: OpenAPINode, into endpoint: inout OpenAPIEndpoint) {
        let operation = OpenAPINode(value: endpoint.operation, pointer: endpoint.pointer)
        let types = types("consumes", operation)
        let type = types.first { MediaType($0)?.essence == "application/json" } ?? types.first
        addBody(
            node["schema"],
            nil,
            type: type ?? "application/json",
            isRequired: node.bool("required") ?? false,
            into: &endpoint
        )
    }

    /// Chooses the encoding of a form's fields.
    private mutating func readSwaggerForm(_ operation: OpenAPINode, into endpoint: inout OpenAPIEndpoint) {
        guard endpoint.bodyFormat == nil, endpoint.parameters.contains(where: { $0.place == .body }) else { return }
        let types = types("consumes", operation)
        let hasFiles = endpoint.parameters.contains { $0.kind == .file }
        endpoint.bodyFormat = hasFiles || types.first == "multipart/form-data" ? .multipart : .form
    }

    // MARK: Answers

    /// Reads an operation's response.
    mutating func readAnswer(_ operation: OpenAPINode, into endpoint: inout EndpointDescription) {
        let answers = operation["responses"]?.members ?? []
        if !isSwagger { readErrors(answers, into: &endpoint) }
        let successful = answers.filter { $0.key.begins(with: "2") }.min { $0.key < $1.key }
        guard let answer = (successful ?? answers.first { $0.key == "default" })?.node else { return }
        let types: [String]
        if isSwagger {
            types = self.types("produces", operation)
        } else {
            types = resolved(answer)?["content"]?.members.map(\.key) ?? []
        }
        let media = types.compactMap { MediaType($0) }
        guard let chosen = media.first(where: \.isJSON) ?? media.first else { return }
        endpoint.responseFormat =
            switch (chosen.type, chosen.subtype) {
            case ("application", "json"): .json
            case ("application", "xml"), ("text", "xml"): .xml
            case ("text", _) where media.count == 1 && chosen.subtype == "plain": .text
            case ("image", "*"): .image
            case ("*", _): .data
            default: .media(chosen)
            }
    }

    private mutating func readErrors(
        _ answers: [(key: String, node: OpenAPINode)],
        into endpoint: inout EndpointDescription
    ) {
        for (key, node) in answers.prefix(40) where !key.begins(with: "2") {
            guard resolved(node)?["content"]?["application/problem+json"] != nil else { continue }
            endpoint.errors = .problemDetails
            return
        }
    }
}
