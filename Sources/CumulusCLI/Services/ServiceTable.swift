// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices
import HTTPTypes

/// A service as a readable table.
struct ServiceTable {
    private let service: ServiceDescription

    init(_ service: ServiceDescription) { self.service = service }

    /// The service with all its endpoints.
    var text: String {
        var lines = [shown(service.name)]
        if let summary = service.summary { lines[0] += ": \(shown(summary))" }
        for server in service.servers {
            let isElsewhere = server.isThirdParty ? "; receives no credentials unless --server selects it" : ""
            let text = server.name == server.url ? server.url : server.description
            lines.append("server: \(shown(SecretRedaction.url(text)))\(isElsewhere)")
        }
        if let need = service.authorization { lines.append("authorization: \(shown(need.description))") }
        let rows = service.endpoints.map { endpoint in
            let takes = CallItems.list(endpoint.parameterNames, of: endpoint)
            return [endpoint.name, "\(endpoint.method.rawValue) \(endpoint.template.text)", takes]
        }
        return lines.joined(separator: "\n") + "\n\n" + TextTable(["ENDPOINT", "REQUEST", "TAKES"], rows).text
    }

    /// One endpoint with all its parameters.
    func text(of endpoint: EndpointDescription) -> String {
        var lines = ["\(shown(endpoint.name)): \(endpoint.method.rawValue) \(shown(endpoint.template.text))"]
        if let summary = endpoint.summary { lines.append(shown(summary)) }
        if let server = endpoint.server { lines.append("server: \(shown(server))") }
        if endpoint.bodyFormat != nil || endpoint.parameters.contains(where: { $0.place == .body }) {
            lines.append("body: \(shown((endpoint.bodyFormat ?? service.bodyFormat).rawValue))")
        }
        if let format = endpoint.responseFormat ?? service.responseFormat {
            lines.append("response: \(shown(format.rawValue))")
        }
        if let need = endpoint.authorization ?? service.authorization {
            lines.append("authorization: \(shown(need.description))")
        }
        let rows = endpoint.parameterNames.compactMap { endpoint[parameter: $0] }.map(row)
        if rows.isEmpty { return lines.joined(separator: "\n") }
        let table = TextTable(["PARAMETER", "IN", "KIND", "REQUIRED", "ABOUT"], rows)
        return lines.joined(separator: "\n") + "\n\n" + table.text
    }

    private func row(_ parameter: EndpointParameter) -> [String] {
        var about: [String] = []
        if !parameter.allowedValues.isEmpty { about.append(parameter.allowedValues.prefix(12).joined(separator: "|")) }
        if let value = parameter.defaultValue {
            about.append("default \(SecretRedaction.isSecret(parameter.sentName) ? "<redacted>" : "\(value)")")
        }
        if parameter.sentName != parameter.name { about.append("sent as \(parameter.sentName)") }
        if let summary = parameter.summary { about.append(summary) }
        let kind = parameter.kind == .any ? "" : parameter.kind.rawValue
        let need = parameter.isRequired ? "yes" : ""
        return [parameter.name, parameter.place.rawValue, kind, need, about.joined(separator: "; ")]
    }

    private func shown(_ text: String) -> String { PeerText.printable(text, limit: 500) }
}
