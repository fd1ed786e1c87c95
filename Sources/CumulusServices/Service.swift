// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// An API that is described as data, whose endpoints are called by name; a `Resource` holds its settings.
///
///     let github = Service(try ServiceDescription(contentsOfFile: "GitHub.plist"), transport: transport)
///     let user = try await github.call("user", ["login": "weipin"], as: User.self).send()
///
/// Change the rules of ``resource`` with `github.setRules { $0.timeout = .seconds(20) }`. The description's headers,
/// error convention and paging rule take precedence over them; its limits become rules of the resource's place, unless
/// the place has its own. For calls that the compiler checks, see ``ServiceClient``.
@dynamicMemberLookup
public struct Service: Sendable {
    /// The service's description.
    public let definition: ServiceDescription
    /// The base URL, with the settings that all requests inherit.
    public let resource: Resource
    /// The hooks that see each request before it is sent, in this order.
    public var hooks: [EndpointHook] = []
    private let positions: [String: Int]
    /// Whether credentials may be sent to the server: it was named, or the description is from its origin.
    let trustsServer: Bool

    /// Creates a service on your own resource, which replaces the description's base URL; its settings are inherited.
    public init(_ definition: ServiceDescription, on resource: Resource) {
        self.init(definition, on: resource, trustsServer: true)
    }

    private init(_ definition: ServiceDescription, on resource: Resource, trustsServer: Bool) {
        self.trustsServer = trustsServer
        self.definition = definition
        definition.limit(resource)
        self.resource = resource.described { definition.apply(to: &$0) }
        var positions: [String: Int] = [:]
        for (index, endpoint) in definition.endpoints.enumerated() where positions[endpoint.name] == nil {
            positions[endpoint.name] = index
        }
        self.positions = positions
    }

    /// Creates a service at one of the description's servers.
    ///
    /// - Parameters:
    ///   - definition: The service's description.
    ///   - server: The server's name; `nil` for the first, which receives no credentials if it is
    ///     ``ServiceServer/isThirdParty``. With an unknown name, calls throw.
    ///   - transport: The transport for the requests.
    public init(_ definition: ServiceDescription, server: String? = nil, transport: any Transport) {
        let isThirdParty = server == nil && definition.servers.first?.isThirdParty == true
        self.init(definition, on: definition.root(server, transport: transport), trustsServer: !isThirdParty)
    }

    private init(_ other: Service, on resource: Resource, trustsServer: Bool = true) {
        self.trustsServer = trustsServer
        (definition, hooks, positions) = (other.definition, other.hooks, other.positions)
        self.resource = resource
    }

    /// The effective value of a setting of ``resource``, by name.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<Resource.Settings, Value>) -> Value {
        get { resource[dynamicMember: setting] }
        @available(
            *,
            unavailable,
            message:
                "settings are written in `setRules { }` (this place and all below it, for everyone) or in `with { }` (a copy of this value)"
        )
        nonmutating set {}
    }

    /// Changes the rules of ``resource``'s place, for all of its clients.
    public func setRules(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Rules) -> Void
    ) { resource.setRules(fileID: fileID, line: line, edit) }

    /// Returns a copy of the service with settings for a few calls; this one is unchanged.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Settings) -> Void
    ) -> Service {
        Service(self, on: resource.with(fileID: fileID, line: line, edit), trustsServer: trustsServer)
    }

    /// Returns a copy of the service that uses a different server from its description.
    ///
    /// With an unknown name, calls throw.
    ///
    /// Settings are inherited; credentials are sent only to the origin that they were set for.
    public func at(server name: String) -> Service {
        guard let server = definition.servers.first(where: { $0.name == name }) else {
            return Service(self, on: Resource(nowhere: definition.noServer(name), over: resource))
        }
        return at(server.url)
    }

    /// Returns a copy of the service at a different base URL, such as that of a test server.
    ///
    /// Settings are inherited; credentials are sent only to the origin that they were set for.
    public func at(_ baseURL: some Locator) -> Service {
        Service(self, on: Resource(baseURL.locatorText, over: resource))
    }

    /// Returns the endpoint with a name; `nil` if there is none.
    public func endpoint(_ name: String) -> EndpointDescription? { positions[name].map { definition.endpoints[$0] } }

    /// The latest quota that the service reported; see `Resource.quota`.
    public var quota: RequestQuota? { resource.quota }

    /// Cancels all running requests at the service's base URL: their callers receive `CancellationError`.
    ///
    /// - Returns: The number of cancelled requests.
    @discardableResult
    public func cancelAll() -> Int { resource.cancelAll() }
}

extension Service: Redacted {
    /// The service's name and URL.
    public var description: String { "\(definition.name) at \(resource)" }
}

extension ServiceDescription {
    func noServer(_ name: String) -> String { "\(self.name) has no server \(PeerText.quoted(name))" }

    /// The root resource of a server.
    fileprivate func root(_ name: String?, transport: any Transport) -> Resource {
        if let server = server(name) { return Resource(server.url, transport: transport) }
        let reason = name.map { noServer($0) } ?? "\(self.name) has no base URL"
        return Resource(nowhere: reason, transport: transport)
    }

    /// Sets the settings that are common to all endpoints.
    fileprivate func apply(to settings: inout Resource.Settings) {
        // The layer is new, so its values are merged over the inherited ones.
        if !headers.isEmpty { settings.headers = headers }
        errors.apply(to: &settings)
        if let paging { settings.paging = paging }
    }

    /// Writes the limits, which belong to the place, unless it has its own.
    fileprivate func limit(_ resource: Resource) {
        let isRated = rate == ServiceRate() || resource.hasRule(for: \.rateLimit)
        let isLimited = maxConcurrentTasks == nil || resource.hasRule(for: \.maxConcurrentRequests)
        guard !isRated || !isLimited else { return }
        resource.setPlaceRules {
            if !isRated { rate.apply(to: &$0) }
            if !isLimited, let maxConcurrentTasks { $0.maxConcurrentRequests = maxConcurrentTasks }
        }
    }
}
