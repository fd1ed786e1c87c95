// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension EndpointRequest {
    /// Makes a request from an endpoint and values for its parameters.
    init(
        _ endpoint: EndpointDescription,
        of service: Service,
        _ arguments: EndpointArguments,
        body: Payload?,
        identity: RequestIdentity?
    ) throws(EndpointProblem) {
        let values = try EndpointRequest.values(for: endpoint, arguments, of: service.definition)
        let place = try service.place(of: endpoint, values.template)
        let definition = service.definition
        let need = definition.authorization(of: endpoint)
        let errors = endpoint.errors
        resource = place.with { settings in
            if let identity { settings.identity = identity }
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
            let names = values.body.map { RequestURL.quote($0.name) }.joined(separator: ", ")
            throw .unusableBody("the call has a body, \(body), and values for another: \(names)")
        }
        let format = endpoint.bodyFormat ?? definition.bodyFormat
        if let body { payload = body } else { payload = try EndpointRequest.payload(values.body, as: format) }
        guard let need, need.isRequired, !service.proves(self, need) else { return }
        if !service.trustsServer, let server = definition.servers.first { throw .foreignServer(server.description) }
        throw .missingAuthorization(need)
    }

    /// The values by their places.
    private struct Values {
        var template: URITemplate.Values = [:]
        var query = Query()
        var headers = Headers()
        var body: [(name: String, value: EndpointValue)] = []
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
            if variables.contains(name) {
                values.template[name] = try value.queryValue(of: name)
                continue
            }
            switch parameter.place {
            case .path: throw .invalidDescription("the template has no variable \(RequestURL.quote(name))")
            case .query: values.query.add(try value.queryValue(of: name), for: parameter.sentName)
            case .header:
                guard let text = try value.queryValue(of: name).headerText else {
                    throw .unusableValue(parameter: name, reason: "is not text for a header field")
                }
                values.headers.add(text, for: Headers.Name(parameter.sentName))
            case .body: values.body.append((parameter.sentName, value))
            }
        }
        if !missing.isEmpty { throw .missingParameters(missing) }
        return values
    }

    private static func payload(
        _ values: [(name: String, value: EndpointValue)],
        as format: EndpointBodyFormat
    ) throws(EndpointProblem) -> Payload {
        if values.isEmpty { return .none }
        switch format {
        case .json:
            var members: [(key: String, value: (any Encodable & Sendable)?)] = []
            for (name, value) in values {
                guard case .value(let value) = value else {
                    throw .unusableBody("\(RequestURL.quote(name)) is a part, and the body is JSON")
                }
                members.append((name, value))
            }
            return .value(MixedObject(members: members), as: .json)
        case .form:
            var form = Query()
            for (name, value) in values { form.add(try value.queryValue(of: name), for: name) }
            return .form(form)
        case .multipart:
            var form = MultipartForm()
            for (name, value) in values { form.append(try value.part(of: name), name: name) }
            return .multipart(form)
        case .media(let type):
            throw .unusableBody("the body is \(type.essence), so the call must supply the whole body")
        }
    }
}

extension QueryValue {
    /// The value in a header field: a list's elements are separated by commas.
    fileprivate var headerText: String? {
        switch self {
        case .text(let text): text
        case .list(let elements):
            elements.allSatisfy { $0.string != nil } ? elements.compactMap(\.string).joined(separator: ", ") : nil
        case .map: nil
        }
    }
}
