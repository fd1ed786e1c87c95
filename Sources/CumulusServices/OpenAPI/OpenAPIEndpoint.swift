// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// An endpoint under construction, from an operation.
struct OpenAPIEndpoint {
    let path: String
    let method: HTTPRequest.Method
    let pointer: String
    /// The operation.
    let operation: JSON
    private(set) var parameters: [EndpointParameter] = []
    var bodyFormat: EndpointBodyFormat?
    var headers = Headers()
    private var names = OpenAPINames()
    /// The expressions of the path's variables: `{id}`, `{;id*}`.
    private var inPath: [String: String] = [:]

    init(path: String, method: HTTPRequest.Method, operation: OpenAPINode) {
        // A fragment is never sent.
        (self.path, self.method) = (String(path.before("#")), method)
        (pointer, self.operation) = (operation.pointer, operation.value)
    }

    /// Adds a parameter; if its name is taken, its place is added to it: `status_query`.
    mutating func add(_ parameter: EndpointParameter) {
        var parameter = parameter
        let wanted = parameter.name
        var name = names.unique(wanted)
        if name != wanted { name = names.unique("\(wanted)_\(parameter.place.rawValue)") }
        if name != parameter.sentName { parameter.field = parameter.sentName }
        parameter.name = name
        parameters.append(parameter)
    }

    /// Adds a path variable.
    mutating func addPathVariable(_ parameter: EndpointParameter, named given: String, style: String, explodes: Bool) {
        var parameter = parameter
        // With its operator, the template writes the name as well.
        parameter.name = names.unique(style == "matrix" ? OpenAPINames.variable(given) : OpenAPINames.word(given))
        let mark =
            switch style {
            case "label": "."
            case "matrix": ";"
            default: ""
            }
        inPath[given] = "{\(mark)\(parameter.name)\(explodes ? "*" : "")}"
        parameters.append(parameter)
    }

    /// The path's variables, in order.
    var pathVariables: [String] { OpenAPIEndpoint.pieces(of: path).compactMap { $0.isVariable ? $0.text : nil } }

    /// The path as a template.
    var template: String {
        var text = ""
        for piece in OpenAPIEndpoint.pieces(of: path) {
            text += piece.isVariable ? inPath[piece.text] ?? "{\(OpenAPINames.word(piece.text))}" : piece.text
        }
        return text.begins(with: "/") ? String(text.dropFirst()) : text
    }

    private static func pieces(of path: String) -> [(text: String, isVariable: Bool)] {
        var pieces: [(String, Bool)] = []
        var rest = path[...]
        while let (before, behind) = rest.cut(at: "{"), let (name, next) = behind.cut(at: "}") {
            if !before.isEmpty { pieces.append((String(before), false)) }
            pieces.append((String(name), true))
            rest = next
        }
        if !rest.isEmpty { pieces.append((String(rest), false)) }
        return pieces
    }
}
