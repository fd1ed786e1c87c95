// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// An endpoint while it is made of an operation.
struct OpenAPIEndpoint {
    let path: String
    let method: HTTPRequest.Method
    let pointer: String
    /// The operation that it is made of.
    let operation: JSON
    private(set) var parameters: [EndpointParameter] = []
    var bodyFormat: EndpointBodyFormat?
    var headers = Headers()
    private var names = OpenAPINames()
    /// The expression of the path's variables: `{id}`, `{;id*}`.
    private var inPath: [String: String] = [:]
    /// The lists and maps of the query, `tags*`, which the template knows how to write.
    private var inQuery: [String] = []
    private var gaps: [(String, String)] = []

    init(path: String, method: HTTPRequest.Method, operation: OpenAPINode) {
        (self.path, self.method) = (path, method)
        (pointer, self.operation) = (operation.pointer, operation.value)
    }

    /// What was noted, once.
    mutating func takeGaps() -> [(String, String)] {
        defer { gaps = [] }
        return gaps
    }

    mutating func note(_ pointer: String, _ message: String) { gaps.append((pointer, message)) }

    /// Adds a parameter; one whose name is taken is called by its place, too: `status_query`.
    mutating func add(_ parameter: EndpointParameter) {
        var parameter = parameter
        let wanted = parameter.name
        var name = names.unique(wanted)
        if name != wanted { name = names.unique("\(wanted)_\(parameter.place.rawValue)") }
        if name != parameter.sentName { parameter.field = parameter.sentName }
        parameter.name = name
        parameters.append(parameter)
    }

    /// Adds a variable of the path.
    mutating func addPathVariable(_ parameter: EndpointParameter, named given: String, style: String, explodes: Bool) {
        var parameter = parameter
        parameter.name = names.unique(OpenAPINames.word(given))
        let mark =
            switch style {
            case "label": "."
            case "matrix": ";"
            default: ""
            }
        inPath[given] = "{\(mark)\(parameter.name)\(explodes ? "*" : "")}"
        parameters.append(parameter)
    }

    /// Adds a list or a map of the query.
    mutating func addQueryVariable(_ parameter: EndpointParameter, explodes: Bool) {
        var parameter = parameter
        guard parameter.name == names.unique(parameter.name) else {
            note(pointer, "\(RequestURL.quote(parameter.name)) in the query has the name of another parameter")
            return
        }
        parameter.field = nil
        inQuery.append("\(parameter.name)\(explodes ? "*" : "")")
        parameters.append(parameter)
    }

    /// The path's variables, in their order.
    var pathVariables: [String] { OpenAPIEndpoint.pieces(of: path).compactMap { $0.isVariable ? $0.text : nil } }

    /// The path and the query as a template.
    var template: String {
        var text = ""
        for piece in OpenAPIEndpoint.pieces(of: path) {
            text += piece.isVariable ? inPath[piece.text] ?? "{\(OpenAPINames.word(piece.text))}" : piece.text
        }
        if text.begins(with: "/") { text = String(text.dropFirst()) }
        if inQuery.isEmpty { return text }
        return "\(text){\(path.has("?") ? "&" : "?")\(inQuery.joined(separator: ","))}"
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
