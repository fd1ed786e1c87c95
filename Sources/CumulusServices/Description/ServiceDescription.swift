// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A description of a whole API: its servers, its endpoints, and their common properties.
///
///     var github = ServiceDescription("GitHub", at: "https://api.github.com")
///     github.headers = ["Accept": "application/vnd.github+json"]
///     github["user"] = EndpointDescription("user", template: "users/{login}")
///
/// A description is written in code, or read from JSON, a property list (such as Cycles' service profiles), or YAML
/// with CumulusYAML. A ``Service`` makes requests from it. It is not checked until ``verify()``, or until an endpoint
/// is called.
public struct ServiceDescription: Sendable, Hashable {
    /// The service's name.
    public var name: String
    /// The service's purpose, in a sentence.
    public var summary: String?
    /// The service's base URLs, with the default first; empty if each endpoint's template is an absolute URL.
    public var servers: [ServiceServer]
    /// The service's endpoints, which have unique names.
    public var endpoints: [EndpointDescription]
    /// The header fields of each request.
    public var headers: Headers
    /// The fields that identify the calling program to the service; see `ClientIdentity.Fields`.
    public var clientFields: ClientIdentity.Fields
    /// The authorization for endpoints that don't define their own.
    ///
    /// If it is `nil`, requests have the authorization that the ``Service`` adds.
    public var authorization: AuthorizationNeed?
    /// How the service reports errors.
    public var errors: ErrorConvention
    /// The number of requests that the service accepts.
    public var rate: ServiceRate
    /// The maximum number of requests that run at once; `nil` means no limit.
    public var maxConcurrentTasks: Int?
    /// The paging rule of lists; `nil` for `Resource.Settings.paging`.
    public var paging: PagingRule?
    /// The request format for endpoints that don't define their own.
    public var bodyFormat: EndpointBodyFormat
    /// The response format for endpoints that don't define their own; `nil` if it is unknown.
    public var responseFormat: EndpointResponseFormat?

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - name: The service's name.
    ///   - baseURL: The service's base URL; `nil` if each endpoint's template is an absolute URL.
    ///   - endpoints: The service's endpoints.
    public init(_ name: String, at baseURL: (any Locator)? = nil, endpoints: [EndpointDescription] = []) {
        self.name = name
        self.endpoints = endpoints
        servers = baseURL.map { [ServiceServer($0.locatorText)] } ?? []
        headers = [:]
        clientFields = ClientIdentity.Fields()
        errors = ErrorConvention()
        rate = ServiceRate()
        bodyFormat = .json
    }

    /// The endpoint with a name, which is case-sensitive.
    ///
    /// Assigning an endpoint replaces or appends it; assigning `nil` removes it.
    public subscript(name: String) -> EndpointDescription? {
        get { endpoints.first { $0.name == name } }
        set {
            let place = endpoints.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let new?): endpoints[place] = new
            case (let place?, nil): endpoints.remove(at: place)
            case (nil, let new?): endpoints.append(new)
            case (nil, nil): break
            }
        }
    }

    /// The server with a name; for `nil` the first.
    func server(_ name: String?) -> ServiceServer? {
        name.map { name in servers.first { $0.name == name } } ?? servers.first
    }

    /// The proof of identity for an endpoint, its own or the service's.
    func authorization(of endpoint: EndpointDescription) -> AuthorizationNeed? {
        endpoint.authorization ?? authorization
    }
}

extension ServiceDescription: CustomStringConvertible {
    /// The name, and the number of endpoints.
    public var description: String { "\(name), \(endpoints.count) endpoints" }
}
