// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

extension Service {
    /// Creates the request of a call, without sending it, and runs the hooks on it.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - arguments: Values for the endpoint's parameters.
    ///   - body: A whole body, if it isn't made from parameters.
    /// - Returns: The request.
    /// - Throws: `CumulusError`, whose cause is an ``EndpointProblem``; any error of a hook.
    public func request(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        body: Payload? = nil
    ) throws -> EndpointRequest {
        try request(endpoint(name), name, arguments, body: body)
    }

    /// Creates the request of an endpoint that was already looked up.
    func request(
        _ endpoint: EndpointDescription?,
        _ name: String,
        _ arguments: EndpointArguments,
        body: Payload?
    ) throws -> EndpointRequest {
        guard let endpoint else {
            throw EndpointProblem.unknownEndpoint(name).error(of: name, in: definition.name)
        }
        var request: EndpointRequest
        do throws(EndpointProblem) {
            request = try EndpointRequest(endpoint, of: self, arguments, body: body)
        } catch {
            throw error.error(of: name, in: definition.name)
        }
        for hook in hooks {
            do {
                try hook(&request)
            } catch {
                throw request.refusal(by: error, of: definition.name)
            }
        }
        return request
    }

    /// The resource of an endpoint with values in its template.
    func place(of endpoint: EndpointDescription, _ values: URITemplate.Values) throws(EndpointProblem) -> Resource {
        let template = endpoint.template
        if let problem = template.problems.first { throw .invalidDescription(problem.description) }
        var base = resource
        if let name = endpoint.server, let server = definition.servers.first(where: { $0.name == name }) {
            base = Resource(server.url, over: resource)
        } else if let name = endpoint.server {
            throw .invalidDescription(definition.noServer(name))
        }
        guard template.isAbsolute else { return base.child(template: template, values) }
        guard resource.urlString == nil, let (origin, path) = template.dividedAtOrigin() else {
            let reason = "the template \(PeerText.quoted(template.text)) is a complete URL"
            throw .invalidDescription(
                "\(reason); this requires a service without a base URL, and an origin without variables"
            )
        }
        return Resource(origin, over: resource).child(template: path, values)
    }

    /// Whether a request has a proof of identity, as far as can be seen before it is sent.
    func proves(_ request: EndpointRequest, _ need: AuthorizationNeed) -> Bool {
        let settings = request.resource.settings
        if !settings.authorizers.isEmpty || !settings.interceptors.isEmpty || !settings.preflights.isEmpty {
            return true
        }
        let headers = settings.headers.merging(request.headers)
        if headers[.authorization] != nil { return true }
        return need.schemes.contains { scheme in
            switch scheme {
            case .keyInHeader(let name): headers[Headers.Name(name)] != nil
            case .keyInQuery(let name): settings.query[name] != nil || request.query[name] != nil
            default: false
            }
        }
    }
}
