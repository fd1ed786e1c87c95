// SPDX-License-Identifier: Apache-2.0

/// A described API with somebody to talk to it: endpoints are called by name, over a ``Resource`` that holds the settings.
///
///     let github = Service(try ServiceDescription(contentsOfFile: "GitHub.plist"), transport: transport)
///     let user = try await github.call("user", ["login": "weipin"], as: User.self)
///
/// Settings are those of ``resource``, by name: `github.timeout = .seconds(20)`, `github.authorizers.append(...)`. For calls
/// that the compiler checks, see ``ServiceClient``.
@dynamicMemberLookup
public struct Service: Sendable {
    /// What the service is.
    public let definition: ServiceDescription
    /// The base URL with the settings that all requests inherit.
    public let resource: Resource
    /// Who sees each request before it is sent, in this order.
    public var hooks: [EndpointHook] = []
    private let positions: [String: Int]
    /// Whether credentials may go to the server: it was named, or its description came from it.
    let trustsServer: Bool

    /// Makes a service on your own resource, which is the base URL in the place of the description's; its settings are
    /// inherited.
    public init(_ definition: ServiceDescription, on resource: Resource) {
        self.init(definition, on: resource, trustsServer: true)
    }

    private init(_ definition: ServiceDescription, on resource: Resource, trustsServer: Bool) {
        self.trustsServer = trustsServer
        self.definition = definition
        self.resource = resource.with { definition.apply(to: &$0) }
        var positions: [String: Int] = [:]
        for (index, endpoint) in definition.endpoints.enumerated() where positions[endpoint.name] == nil {
            positions[endpoint.name] = index
        }
        self.positions = positions
    }

    /// Makes a service at one of its servers.
    ///
    /// - Parameters:
    ///   - definition: What the service is.
    ///   - server: The server's name; `nil` for the first, which gets no credentials if it is
    ///     ``ServiceServer/isForeign``. One that isn't there makes calls throw.
    ///   - transport: The transport for the requests.
    public init(_ definition: ServiceDescription, server: String? = nil, transport: any Transport) {
        let isForeign = server == nil && definition.servers.first?.isForeign == true
        self.init(definition, on: definition.root(server, transport: transport), trustsServer: !isForeign)
    }

    private init(_ other: Service, on resource: Resource, trustsServer: Bool = true) {
        self.trustsServer = trustsServer
        (definition, hooks, positions) = (other.definition, other.hooks, other.positions)
        self.resource = resource
    }

    /// A setting of ``resource``, by name.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<Settings, Value>) -> Value {
        get { resource[dynamicMember: setting] }
        nonmutating set { resource[dynamicMember: setting] = newValue }
    }

    /// The same service with settings for a few calls; this one is not changed.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Settings) throws -> Void
    ) rethrows -> Service {
        Service(self, on: try resource.with(fileID: fileID, line: line, edit), trustsServer: trustsServer)
    }

    /// The same service at another of its servers, by name; one that isn't there makes calls throw.
    ///
    /// Settings are inherited; credentials stay at the origin that they were set for.
    public func at(server name: String) -> Service {
        guard let server = definition.servers.first(where: { $0.name == name }) else {
            return Service(
                self,
                on: Resource(nowhere: definition.noServer(name), transport: resource.tree.context.transport)
            )
        }
        return at(server.url)
    }

    /// The same service at another base URL, such as a test's own server.
    ///
    /// Settings are inherited; credentials stay at the origin that they were set for.
    public func at(_ baseURL: some Locator) -> Service {
        Service(self, on: Resource(baseURL.locatorText, over: resource))
    }

    /// The endpoint of a name; `nil` if there is none.
    public func endpoint(_ name: String) -> EndpointDescription? { positions[name].map { definition.endpoints[$0] } }

    /// What the service said last of its quota; see ``Resource/quota``.
    public var quota: RequestQuota? { resource.quota }

    /// Ends all of its requests that are running at its base URL: their callers get `CancellationError`.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll() -> Int { resource.cancelAll() }
}

extension Service: CustomStringConvertible, CustomReflectable {
    /// The service's name and where it is.
    public var description: String { "\(definition.name) at \(resource)" }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["service": description]) }
}

extension ServiceDescription {
    func noServer(_ name: String) -> String { "\(self.name) has no server \(RequestURL.quote(name))" }

    /// A root at a server.
    fileprivate func root(_ name: String?, transport: any Transport) -> Resource {
        if let server = server(name) { return Resource(server.url, transport: transport) }
        let reason = name.map { noServer($0) } ?? "\(self.name) has no base URL"
        return Resource(nowhere: reason, transport: transport)
    }

    /// Writes what is common to all endpoints.
    fileprivate func apply(to settings: inout Settings) {
        // The layer is new: what it says is merged over what it inherits.
        if !headers.isEmpty { settings.headers = headers }
        errors.apply(to: &settings)
        rate.apply(to: &settings)
        if let maxConcurrentTasks { settings.maxConcurrentRequests = maxConcurrentTasks }
        if let paging { settings.paging = paging }
    }
}
