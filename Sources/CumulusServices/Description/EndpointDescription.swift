// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// One operation of a service: a method, a path template, and the formats of its request and response.
public struct EndpointDescription: Sendable, Hashable {
    /// The endpoint's name.
    public var name: String
    /// The method.
    public var method: HTTPRequest.Method
    /// The path below the server's URL, optionally with query variables.
    ///
    /// It is an absolute URL only if the service has no servers; its origin must then be literal.
    public var template: URITemplate
    /// Its parameters; the template's variables need an entry only for additional details.
    public var parameters: [EndpointParameter]
    /// Its purpose, in a sentence.
    public var summary: String?
    /// The name of its server; `nil` for the service's current one.
    public var server: String?
    /// The format of its request; `nil` for the service's.
    public var bodyFormat: EndpointBodyFormat?
    /// The format of its response; `nil` for the service's.
    public var responseFormat: EndpointResponseFormat?
    /// The authorization that it requires; `nil` for the service's.
    public var authorization: AuthorizationNeed?
    /// The way it reports errors; `nil` for the service's.
    public var errors: ErrorConvention?
    /// The paging rule of its list; `nil` for the service's.
    public var paging: PagingRule?
    /// Header fields of its requests, merged over the service's.
    public var headers: Headers

    /// Creates a description.
    public init(
        _ name: String,
        _ method: HTTPRequest.Method = .get,
        template: URITemplate,
        parameters: [EndpointParameter] = [],
        bodyFormat: EndpointBodyFormat? = nil,
        responseFormat: EndpointResponseFormat? = nil,
        authorization: AuthorizationNeed? = nil,
        summary: String? = nil
    ) {
        self.name = name
        self.method = method
        self.template = template
        self.parameters = parameters
        self.bodyFormat = bodyFormat
        self.responseFormat = responseFormat
        self.authorization = authorization
        self.summary = summary
        headers = [:]
    }

    /// The names that a call may set values for: the template's variables in order, then the other parameters.
    public var parameterNames: [String] {
        let variables = template.variables
        return variables + parameters.map(\.name).filter { !variables.contains($0) }
    }

    /// The description of a parameter; for a variable without an entry it is derived from the template, and it is `nil`
    /// for a name that the endpoint doesn't have.
    public subscript(parameter name: String) -> EndpointParameter? {
        if let said = parameters.first(where: { $0.name == name }) { return said }
        guard template.variables.contains(name) else { return nil }
        let isPath = template.pathVariables.contains(name)
        return EndpointParameter(name, in: isPath ? .path : .query, required: isPath)
    }
}

extension EndpointDescription: CustomStringConvertible {
    /// The name, method and template.
    public var description: String { "\(name): \(method.rawValue) \(template.text)" }
}
