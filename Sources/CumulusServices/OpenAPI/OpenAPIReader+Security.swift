// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension OpenAPIReader {
    /// The proof of identity of a list of requirements; `nil` if none of it is understood.
    mutating func need(_ node: OpenAPINode?) -> AuthorizationNeed? {
        guard let node, node.value.array != nil else { return nil }
        if node.elements.isEmpty { return .anonymous }
        var schemes: [AuthorizationNeed.Scheme] = []
        var isRequired = true
        for choice in node.elements.prefix(32) {
            let parts = choice.members
            if parts.isEmpty { isRequired = false }
            if parts.count > 1 {
                let names = parts.map { PeerText.quoted($0.key) }.joined(separator: " and ")
                note(choice.pointer, "\(names) are required together, but a request uses only one of them")
            }
            for (name, scopes) in parts.prefix(8) {
                guard let scheme = scheme(name, scopes) else { continue }
                if !schemes.contains(scheme) { schemes.append(scheme) }
            }
        }
        if schemes.isEmpty { return isRequired ? nil : .anonymous }
        return AuthorizationNeed(schemes, required: isRequired)
    }

    private mutating func scheme(_ name: String, _ use: OpenAPINode) -> AuthorizationNeed.Scheme? {
        let all = isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        guard let named = all?[name] else {
            note(use.pointer, "the document has no security scheme \(PeerText.quoted(name))")
            return nil
        }
        guard let definition = resolved(named) else { return nil }
        let scopes = (use.value.array ?? []).compactMap(\.string).prefix(100).filter { !$0.has(" ") && !$0.isEmpty }
        switch definition.text("type") {
        case "basic": return .basic
        case "http":
            switch definition.text("scheme")?.lowercased() {
            case "basic": return .basic
            case "bearer": return .bearer
            case "digest": return .digest
            case let other?: return .other(PeerText.printable(other))
            case nil: break
            }
        case "oauth2", "openIdConnect": return .oauth2(scopes: Array(scopes))
        case "apiKey":
            let field = definition.text("name").flatMap { $0.isEmpty || $0.has(" ") ? nil : $0 }
            if let field, definition.text("in") == "header" { return .keyInHeader(field) }
            if let field, definition.text("in") == "query" { return .keyInQuery(field) }
            note(definition.pointer, "an API key is supported in a header field or the query, not in a cookie")
            return .other(PeerText.printable(name))
        case "mutualTLS":
            note(definition.pointer, "set the client certificate in the transport")
            return nil
        default: break
        }
        note(definition.pointer, "the security scheme \(PeerText.quoted(name)) is of an unknown type")
        return nil
    }
}
