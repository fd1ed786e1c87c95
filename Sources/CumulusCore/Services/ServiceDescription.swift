// SPDX-License-Identifier: Apache-2.0

/// A whole API as a value: where it is, which endpoints it has, and what is common to them.
///
///     var github = ServiceDescription("GitHub", at: "https://api.github.com")
///     github.headers = ["Accept": "application/vnd.github+json"]
///     github["user"] = EndpointDescription("user", template: "users/{login}")
///
/// It is written in code, or read from JSON, a property list (such as Cycles' service profiles), or YAML by CumulusYAML.
/// A ``Service`` makes requests of it. Nothing here is checked until ``verify()``, or until an endpoint is called.
public struct ServiceDescription: Sendable, Hashable {
    /// What the service is called.
    public var name: String
    /// What it is for, in a sentence.
    public var summary: String?
    /// Its base URLs, the one that is used by default first; none where each endpoint's template is a whole URL.
    public var servers: [ServiceServer]
    /// Its endpoints, each with a name of its own.
    public var endpoints: [EndpointDescription]
    /// Header fields that each request carries.
    public var headers: Headers
    /// The fields in which the service wants to be told which program calls; see ``ClientIdentity/Fields``.
    public var clientFields: ClientIdentity.Fields
    /// The proof of identity that endpoints need which say nothing themselves; `nil` if nothing is known, so that
    /// requests carry what the ``Service`` has.
    public var authorization: AuthorizationNeed?
    /// How the service tells errors.
    public var errors: ErrorConvention
    /// How many requests it takes.
    public var rate: ServiceRate
    /// How many requests may run at once; `nil` for no limit.
    public var maxConcurrentTasks: Int?
    /// How lists come in pages; `nil` for ``Settings/paging``.
    public var paging: PagingRule?
    /// What endpoints that say nothing themselves are sent.
    public var bodyFormat: EndpointBodyFormat
    /// What endpoints that say nothing themselves answer with; `nil` if nothing is known.
    public var responseFormat: EndpointResponseFormat?

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - baseURL: Where it is; `nil` if each endpoint's template is a whole URL.
    ///   - endpoints: Its endpoints.
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

    /// The endpoint of a name, which is told by case; setting replaces it, or adds it at the end, `nil` removes it.
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

    /// The server of a name; of `nil` the first.
    func server(_ name: String?) -> ServiceServer? {
        name.map { name in servers.first { $0.name == name } } ?? servers.first
    }

    /// What is asked for of an endpoint, its own or the service's.
    func authorization(of endpoint: EndpointDescription) -> AuthorizationNeed? {
        endpoint.authorization ?? authorization
    }
}

extension ServiceDescription: CustomStringConvertible {
    /// The name, and how many endpoints there are.
    public var description: String { "\(name), \(endpoints.count) endpoints" }
}
