// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// One thing that a service does: a method, a template of a path, and what is sent and answered there.
public struct EndpointDescription: Sendable, Hashable {
    /// The name by which it is called.
    public var name: String
    /// The method.
    public var method: HTTPRequest.Method
    /// The path below the server's URL, and the query if it has variables of its own.
    ///
    /// A whole URL only if the service has no servers; the origin must be literal then.
    public var template: URITemplate
    /// Its parameters; the template's variables need no entry unless something is to be said of them.
    public var parameters: [EndpointParameter]
    /// What it is for, in a sentence.
    public var summary: String?
    /// The name of the server that it is at; `nil` for the one that the service uses.
    public var server: String?
    /// What it is sent; `nil` for what the service says.
    public var bodyFormat: EndpointBodyFormat?
    /// What it answers with; `nil` for what the service says.
    public var responseFormat: EndpointResponseFormat?
    /// The proof of identity that it needs; `nil` for what the service says.
    public var authorization: AuthorizationNeed?
    /// How it tells errors; `nil` for what the service says.
    public var errors: ErrorConvention?
    /// How its list comes in pages; `nil` for what the service says.
    public var paging: PagingRule?
    /// Header fields of its requests, over the service's.
    public var headers: Headers

    /// Describes an endpoint.
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

    /// The names that a call may give values for: the template's variables in their order, then the other parameters.
    public var parameterNames: [String] {
        let variables = template.variables
        return variables + parameters.map(\.name).filter { !variables.contains($0) }
    }

    /// What is known of a parameter; for a variable of the template without an entry what the template says of it, `nil`
    /// for a name that the endpoint doesn't have.
    public subscript(parameter name: String) -> EndpointParameter? {
        if let said = parameters.first(where: { $0.name == name }) { return said }
        guard template.variables.contains(name) else { return nil }
        let isPath = template.pathVariables.contains(name)
        return EndpointParameter(name, in: isPath ? .path : .query, required: isPath)
    }
}

extension EndpointDescription: CustomStringConvertible {
    /// Name, method and template.
    public var description: String { "\(name): \(method.rawValue) \(template.text)" }
}
