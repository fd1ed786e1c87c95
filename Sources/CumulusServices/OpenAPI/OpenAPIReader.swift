// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Converts an OpenAPI document into a service, and notes what it leaves out.
///
/// Everything that a document can multiply is limited: followed references, noted gaps, endpoints and parameters.
struct OpenAPIReader {
    let root: OpenAPINode
    let version: String
    let isSwagger: Bool
    /// Where the document is from.
    let url: RequestURL?
    private(set) var gaps: [OpenAPIGap] = []
    var servers = OpenAPIServers()
    /// How many more references may be followed.
    private var references = 200_000
    /// How many more parameters may be made.
    private var parameters = 200_000

    static let gapLimit = 1_000
    private static let variableLimit = 100
    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    init(_ document: JSON, from url: String?) throws(ServiceProblems) {
        root = OpenAPINode(value: document, pointer: "")
        guard let named = document.object?["openapi"] ?? document.object?["swagger"] else {
            throw ServiceProblems(unreadable: "this is not an OpenAPI document: it has neither openapi nor swagger")
        }
        // In YAML, an unquoted version is a number.
        version = named.string ?? named.number?.text ?? ""
        isSwagger = document.object?["openapi"] == nil
        guard isSwagger ? version.begins(with: "2") : version.begins(with: "3.") || version == "3" else {
            let known = "supported versions are 2.0 and 3.0 to 3.2"
            throw ServiceProblems(
                unreadable: "OpenAPI version \(PeerText.quoted(version)) is not supported; \(known)"
            )
        }
        do throws(RequestURL.Malformation) {
            self.url = try url.map { (text) throws(RequestURL.Malformation) in try RequestURL.parse(text).url }
        } catch {
            throw ServiceProblems(unreadable: "the document's own URL can't be used: \(error.description)")
        }
    }

    /// The whole service.
    mutating func service(named name: String?) -> ServiceDescription {
        let about = root["info"]
        let title = about?.text("title").map { PeerText.printable($0) }
        var service = ServiceDescription(name ?? title.flatMap { $0.isEmpty ? nil : $0 } ?? "service")
        service.summary = about.flatMap { summary($0) }
        readServers()
        service.servers = servers.all
        service.authorization = need(root["security"])
        readEndpoints(of: &service)
        service.servers = servers.all
        if root["webhooks"] != nil {
            note("/webhooks", "webhooks are requests that the service sends, not endpoints of the service")
        }
        return service
    }

    // MARK: Endpoints

    private mutating func readEndpoints(of service: inout ServiceDescription) {
        var names = OpenAPINames()
        guard let paths = root["paths"] else {
            return note("", "the document has no paths")
        }
        guard paths.value.object != nil else { return note(paths.pointer, "the paths must be an object") }
        for (path, node) in paths.members {
            guard path.begins(with: "/") else {
                note(node.pointer, "a path must begin with a slash")
                continue
            }
            guard let item = resolved(node) else { continue }
            let operations = OpenAPIReader.operations(of: item)
            if operations.isEmpty { note(node.pointer, "the path has no operations") }
            if path.has("#") {
                note(node.pointer, "the part after # in a path is never sent; it only distinguishes operations")
            }
            for (method, operation) in operations {
                guard service.endpoints.count < OpenAPIDocument.maximumEndpoints else {
                    return note(operation.pointer, "there are more than \(OpenAPIDocument.maximumEndpoints) endpoints")
                }
                guard operation.value.object != nil else {
                    note(operation.pointer, "the operation must be an object")
                    continue
                }
                guard let endpoint = endpoint(path, item, method, operation, &names) else { continue }
                append(endpoint, at: operation.pointer, to: &service)
            }
        }
    }

    /// The operations of a path: those of the known methods, and of others (OpenAPI 3.2).
    private static func operations(of item: OpenAPINode) -> [(method: String, node: OpenAPINode)] {
        methods.compactMap { method in item[method].map { (method: method.uppercased(), node: $0) } }
            + (item["additionalOperations"]?.members ?? []).map { (method: $0.key, node: $0.node) }
    }

    /// Adds an endpoint, unless it could never be called.
    private mutating func append(
        _ endpoint: EndpointDescription,
        at pointer: String,
        to service: inout ServiceDescription
    ) {
        var alone = ServiceDescription(service.name, at: "http://localhost", endpoints: [endpoint])
        if endpoint.server != nil { alone.servers = servers.all }
        let problems = alone.verify()
        if problems.isEmpty {
            service.endpoints.append(endpoint)
        } else {
            note(pointer, "the endpoint is omitted: \(problems[0].message)")
        }
    }

    private mutating func endpoint(
        _ path: String,
        _ item: OpenAPINode,
        _ method: String,
        _ operation: OpenAPINode,
        _ names: inout OpenAPINames
    ) -> EndpointDescription? {
        guard let verb = HTTPRequest.Method(rawValue: method) else {
            note(operation.pointer, "\(PeerText.quoted(method)) is not a method")
            return nil
        }
        var making = OpenAPIEndpoint(path: path, method: verb, operation: operation)
        guard making.pathVariables.count <= OpenAPIReader.variableLimit else {
            note(operation.pointer, "the path has more than \(OpenAPIReader.variableLimit) variables")
            return nil
        }
        readParameters(item, operation, into: &making)
        readBody(operation, into: &making)
        let identifier = operation.text("operationId").map { PeerText.printable($0) }
        let name = names.unique(
            identifier.flatMap { $0.isEmpty ? nil : $0 } ?? OpenAPINames.operation(method.lowercased(), path)
        )
        var endpoint = EndpointDescription(name, verb, template: URITemplate(lenient: making.template))
        let most = parameters
        endpoint.parameters = Array(making.parameters.prefix(most))
        parameters -= endpoint.parameters.count
        if endpoint.parameters.count < making.parameters.count {
            note(operation.pointer, "the document has too many parameters; the remaining ones are omitted")
        }
        endpoint.bodyFormat = making.bodyFormat
        endpoint.headers = making.headers
        endpoint.summary = summary(operation)
        readAnswer(operation, into: &endpoint)
        if let security = operation["security"] { endpoint.authorization = need(security) }
        endpoint.server = server(of: operation, item)
        if operation["callbacks"] != nil {
            note(
                "\(operation.pointer)/callbacks",
                "callbacks are requests that the service sends, not endpoints of the service"
            )
        }
        return endpoint
    }

    private func summary(_ node: OpenAPINode) -> String? {
        let text = node.text("summary").flatMap { $0.isEmpty ? nil : $0 } ?? node.text("description")
        guard let line = text?.parts(at: "\n").first(where: { !$0.trimmed.isEmpty }) else { return nil }
        let shown = PeerText.printable(line.trimmed)
        return node.bool("deprecated") == true ? "\(shown) (deprecated)" : shown
    }

    // MARK: Gaps and references

    /// Notes a part that is left out; everything after the thousandth is one gap.
    mutating func note(_ pointer: String, _ message: String) {
        switch gaps.count {
        case ..<(OpenAPIReader.gapLimit - 1): gaps.append(OpenAPIGap(pointer, message))
        case OpenAPIReader.gapLimit - 1: gaps.append(OpenAPIGap(pointer, "there are more gaps, which are not listed"))
        default: break
        }
    }

    /// The node, or the target of its reference; `nil` and a gap if the reference is missing, circular, or outside the
    /// document.
    mutating func resolved(_ node: OpenAPINode) -> OpenAPINode? {
        var node = node
        var hops = 0
        while let reference = node.value.object?["$ref"]?.string {
            references -= 1
            hops += 1
            guard references >= 0, hops <= 32 else {
                note(
                    node.pointer,
                    "the reference \(PeerText.quoted(reference)) is circular, or there are too many references"
                )
                return nil
            }
            guard reference.begins(with: "#") else {
                note(node.pointer, "\(PeerText.quoted(reference)) is in another document, which is not opened")
                return nil
            }
            guard let target = target(reference) else {
                note(node.pointer, "the document has no \(PeerText.quoted(reference))")
                return nil
            }
            node = target
        }
        return node
    }

    private func target(_ reference: String) -> OpenAPINode? {
        let pointer = PercentEncoding.decode(reference.dropFirst())
        if pointer.isEmpty { return root }
        guard pointer.begins(with: "/"), pointer.utf8.count <= 4_096 else { return nil }
        var value = root.value
        for step in pointer.parts(at: "/").dropFirst() {
            let key = OpenAPIReader.unescaped(step)
            if let object = value.object, let member = object[key] {
                value = member
            } else if let list = value.array, let index = Int(key), list.indices.contains(index) {
                value = list[index]
            } else {
                return nil
            }
        }
        return OpenAPINode(value: value, pointer: pointer)
    }

    /// Decodes a step of a JSON Pointer: `~1` is a slash, `~0` a tilde.
    private static func unescaped(_ step: Substring) -> String {
        guard step.has("~") else { return String(step) }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in step.utf8 {
            if isEscaped {
                bytes.append(byte == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~"))
                isEscaped = false
            } else if byte == UInt8(ascii: "~") {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
