// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

// How a document says that lists and maps are written: `style` and `explode`, Swagger's `collectionFormat`, and the
// encoding of a body's members.

extension OpenAPIReader {
    /// Sets the style of a parameter in a query, a header field, a cookie, or a form.
    ///
    /// A parameter whose style isn't known, or can't be sent, takes one text; a call with a list is refused.
    mutating func setStyle(of parameter: inout EndpointParameter, _ node: OpenAPINode) {
        guard [.list, .map, .any].contains(parameter.kind) else { return }
        if isSwagger {
            parameter.style = collectionStyle(node)
            if parameter.style == nil { takeText(&parameter, node, node.text("collectionFormat") ?? "") }
            return
        }
        let isInField = parameter.place == .header
        let name = node.text("style") ?? (isInField ? "simple" : "form")
        let explodes = node.bool("explode") ?? ["form", "cookie"].contains(name)
        switch (name, parameter.place) {
        case ("simple", .header): parameter.style = explodes ? .members : .commas
        case ("form", .cookie) where explodes: takeText(&parameter, node, "form with explode, in a cookie")
        case ("cookie", .cookie): parameter.style = explodes ? .repeated : .commas
        case ("form", .query), ("form", .body), ("form", .cookie): parameter.style = explodes ? .repeated : .commas
        case ("spaceDelimited", .query), ("spaceDelimited", .body): parameter.style = explodes ? .repeated : .spaces
        case ("pipeDelimited", .query), ("pipeDelimited", .body): parameter.style = explodes ? .repeated : .pipes
        // The specification has this for objects only; services that want lists so mean brackets.
        case ("deepObject", .query), ("deepObject", .body): parameter.style = .brackets
        default: takeText(&parameter, node, name)
        }
    }

    /// The style of a path's variable, which the template writes.
    mutating func pathStyle(of parameter: inout EndpointParameter, _ node: OpenAPINode) -> String {
        let style = node.text("style") ?? "simple"
        let format = isSwagger ? node.text("collectionFormat") ?? "csv" : "csv"
        guard ["simple", "label", "matrix"].contains(style), format == "csv" else {
            takeText(&parameter, node, format == "csv" ? style : format)
            return "simple"
        }
        return style
    }

    /// Sets the style of a member of a form from its encoding: without one, lists are fields of the same name, and maps
    /// are JSON.
    mutating func setEncoding(of parameter: inout EndpointParameter, _ encoding: OpenAPINode?) {
        guard [.list, .map, .any].contains(parameter.kind) else { return }
        parameter.style = .fields
        guard let encoding else { return }
        if encoding.text("style") != nil || encoding.bool("explode") != nil {
            return setStyle(of: &parameter, encoding)
        }
        let types = (encoding.text("contentType")?.parts(at: ",") ?? []).compactMap {
            MediaType(String($0.trimmed))
        }
        // A list of files has several types, and text is what its elements are anyway.
        guard let type = types.first, type.essence != "text/plain" else { return }
        if type.isJSON {
            parameter.style = .json
        } else if parameter.kind != .list {
            takeText(&parameter, encoding, type.essence)
        }
    }

    private func collectionStyle(_ node: OpenAPINode) -> EndpointParameter.Style? {
        switch node.text("collectionFormat") {
        case nil, "csv": .commas
        case "multi": .repeated
        case "ssv": .spaces
        case "pipes": .pipes
        case "tsv": .tabs
        default: nil
        }
    }

    private mutating func takeText(_ parameter: inout EndpointParameter, _ node: OpenAPINode, _ style: String) {
        guard parameter.kind != .text else { return }
        let name = PeerText.quoted(parameter.name)
        note(
            node.pointer,
            "\(name) can't be written in its style (\(style)): pass it as encoded text, not as a list"
        )
        parameter.kind = .text
        parameter.style = nil
    }
}
