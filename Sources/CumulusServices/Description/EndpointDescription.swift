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
    /// The template is an absolute URL only if the service has no servers; its origin must then be literal.
    public var template: URITemplate
    /// The endpoint's parameters; the template's variables need an entry only for additional details.
    public var parameters: [EndpointParameter]
    /// The endpoint's purpose, in a sentence.
    public var summary: String?
    /// The name of the endpoint's server; `nil` for the service's current one.
    public var server: String?
    /// The format of the endpoint's requests; `nil` for the service's format.
    public var bodyFormat: EndpointBodyFormat?
    /// The format of the endpoint's responses; `nil` for the service's format.
    public var responseFormat: EndpointResponseFormat?
    /// The authorization that the endpoint requires; `nil` for the service's.
    public var authorization: AuthorizationNeed?
    /// How the endpoint reports errors; `nil` for the service's convention.
    public var errors: ErrorConvention?
    /// The paging rule for the endpoint's list; `nil` for the service's rule.
    public var paging: PagingRule?
    /// Header fields of the endpoint's requests, merged over the service's.
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

    /// The description of a parameter; for a variable without an entry, it is derived from the template.
    ///
    /// It is `nil` for a name that the endpoint doesn't have.
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
