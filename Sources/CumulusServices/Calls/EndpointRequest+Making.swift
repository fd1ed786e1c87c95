// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

extension EndpointRequest {
    /// Creates a request from an endpoint and values for its parameters.
    init(
        _ endpoint: EndpointDescription,
        of service: Service,
        _ arguments: EndpointArguments,
        body: Payload?
    ) throws(EndpointProblem) {
        let values = try EndpointRequest.values(for: endpoint, arguments, of: service.definition)
        let place = try service.place(of: endpoint, values.template)
        let definition = service.definition
        let need = definition.authorization(of: endpoint)
        let errors = endpoint.errors
        resource = place.with { settings in
            if var client = settings.client, client.fields == ClientIdentity.Fields() {
                client.fields = definition.clientFields
                settings.client = client
            }
            let isAnonymous = need.map(\.schemes.isEmpty) ?? false
            if isAnonymous || !service.trustsServer { settings.authorizers = .replacing([]) }
            if let paging = endpoint.paging { settings.paging = paging }
            if let errors {
                settings.errorDecoders = .replacing([])
                settings.acceptableStatuses = .successful
                errors.apply(to: &settings)
            }
        }
        self.endpoint = endpoint
        self.arguments = arguments
        method = endpoint.method
        query = values.query
        headers = endpoint.headers.merging(values.headers)
        let inherited = resource.headers
        if let format = endpoint.responseFormat ?? definition.responseFormat,
            inherited[.accept] == nil, headers.isUnsaid(.accept)
        {
            headers[.accept] = format.accept
        }
        if let body, !values.body.isEmpty {
            let names = values.body.map { PeerText.quoted($0.parameter.sentName) }.joined(separator: ", ")
            throw .unusableBody("the call has a body, \(body), and also values for body members: \(names)")
        }
        let format = endpoint.bodyFormat ?? definition.bodyFormat
        if let body { payload = body } else { payload = try EndpointRequest.payload(values.body, as: format) }
        // The endpoint's content type describes its bodies, and this request has none.
        if body == nil, values.body.isEmpty, values.headers.isUnsaid(.contentType) { headers.inherit(.contentType) }
        guard let need, need.isRequired, !service.proves(self, need) else { return }
        if !service.trustsServer, let server = definition.servers.first { throw .thirdPartyServer(server.description) }
        throw .missingAuthorization(need)
    }

    /// The values by their places.
    private struct Values {
        var template: URITemplate.Values = [:]
        var query = Query()
        var headers = Headers()
        var cookies: [String] = []
        var body: [(parameter: EndpointParameter, value: EndpointValue)] = []

        /// Puts a value at its parameter's place.
        mutating func take(_ value: EndpointValue, for parameter: EndpointParameter) throws(EndpointProblem) {
            switch parameter.place {
            case .path: throw .invalidDescription("the template has no variable \(PeerText.quoted(parameter.name))")
            case .query: query.append(contentsOf: try parameter.items(of: value))
            case .header:
                for text in try parameter.headerTexts(of: value) { headers.add(text, for: .init(parameter.sentName)) }
            case .cookie: cookies += try parameter.cookies(of: value)
            case .body: body.append((parameter, value))
            }
        }
    }

    /// The payload for a whole body of a typed endpoint.
    static func payload(_ value: some Encodable & Sendable, as format: EndpointBodyFormat) -> Payload {
        switch format {
        case .json: return .value(value)
        case .form:
            if let text = value as? String { return .text(text, type: .form) }
            return .value(value, as: .form)
        case .multipart: return .multipart(of: value)
        case .media(let type): return type.essence.has("*") ? .value(value) : .value(value, as: type)
        }
    }

    private static func values(
        for endpoint: EndpointDescription,
        _ arguments: EndpointArguments,
        of definition: ServiceDescription
    ) throws(EndpointProblem) -> Values {
        let names = endpoint.parameterNames
        if let unknown = arguments.names.first(where: { !names.contains($0) }) { throw .unknownParameter(unknown) }
        let variables = endpoint.template.variables
        var values = Values()
        var missing: [String] = []
        for name in names {
            guard let parameter = endpoint[parameter: name] else { continue }
            var argument: EndpointValue?
            if let given = arguments.items.first(where: { $0.name == name })?.value {
                argument = try EndpointValue(given, for: parameter)
            }
            guard let value = argument ?? parameter.defaultValue.map({ EndpointValue.value($0) }) else {
                if parameter.isRequired { missing.append(name) }
                continue
            }
            let isInJSON = parameter.place == .body && (endpoint.bodyFormat ?? definition.bodyFormat) == .json
            if !isInJSON { try parameter.checkCount(of: value) }
            if variables.contains(name) {
                // A template writes lists and maps itself.
                let isJSON = parameter.style == .json
                let written =
                    isJSON ? try parameter.items(of: value).first { _ in true }?.value : try value.queryValue(of: name)
                if let written { values.template[name] = written }
                continue
            }
            try values.take(value, for: parameter)
        }
        if !missing.isEmpty { throw .missingParameters(missing) }
        if !values.cookies.isEmpty { values.headers.add(values.cookies.joined(separator: "; "), for: .cookie) }
        return values
    }

    private static func payload(
        _ values: [(parameter: EndpointParameter, value: EndpointValue)],
        as format: EndpointBodyFormat
    ) throws(EndpointProblem) -> Payload {
        if values.isEmpty { return .none }
        switch format {
        case .json:
            var members: [(key: String, value: (any Encodable & Sendable)?)] = []
            for (parameter, value) in values {
                guard case .value(let value) = value else {
                    throw .unusableBody("\(PeerText.quoted(parameter.sentName)) is a part, but the body is JSON")
                }
                members.append((parameter.sentName, value))
            }
            return .value(MixedObject(members: members), as: .json)
        case .form:
            var form = Query()
            for (parameter, value) in values { form.append(contentsOf: try parameter.items(of: value)) }
            return .form(form)
        case .multipart:
            var form = MultipartForm()
            for (parameter, value) in values {
                for field in try parameter.parts(of: value) { form.append(field.part, name: field.name) }
            }
            return .multipart(form)
        case .media(let type):
            throw .unusableBody("the body is \(type.essence), so the call must supply the whole body")
        }
    }
}
