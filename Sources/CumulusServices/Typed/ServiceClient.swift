// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A service whose endpoints are properties of a type, so that the compiler checks calls.
///
///     let github = ServiceClient(GitHub(), transport: transport)
///     let user = try await github.user("weipin").send()
///
/// Everything else is available from ``service``: settings, credentials, hooks.
@dynamicMemberLookup
public struct ServiceClient<Endpoints: ServiceEndpoints>: Sendable {
    /// The endpoints.
    public let endpoints: Endpoints
    /// The service that makes the requests.
    public var service: Service
    private let names: [ObjectIdentifier: String]

    /// Creates a client for a service at one of the service's servers.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints.
    ///   - server: The server's name; `nil` for the first.
    ///   - transport: The transport for the requests.
    public init(_ endpoints: Endpoints, server: String? = nil, transport: any Transport) {
        self.init(endpoints, Service(endpoints.definition, server: server, transport: transport))
    }

    /// Creates a client on your own resource, which replaces the description's base URL.
    public init(_ endpoints: Endpoints, on resource: Resource) {
        self.init(endpoints, Service(endpoints.definition, on: resource))
    }

    private init(_ endpoints: Endpoints, _ service: Service) {
        self.endpoints = endpoints
        self.service = service
        let pairs = Mirror(reflecting: endpoints).children.compactMap { child in
            (child.value as? any DescribedEndpoint).map { (ObjectIdentifier($0.token), $0.name(of: child.label)) }
        }
        names = Dictionary(pairs) { first, _ in first }
    }

    /// Returns a copy of the client with settings for a few calls; this one is unchanged.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Settings) -> Void
    ) -> ServiceClient {
        var client = self
        client.service = service.with(fileID: fileID, line: line, edit)
        return client
    }

    /// An endpoint's description, with its name.
    func definition<each Input: Encodable & Sendable, Output: Sendable>(
        of path: KeyPath<Endpoints, Endpoint<repeat each Input, Output>>
    ) -> EndpointDescription {
        let endpoint = endpoints[keyPath: path]
        var definition = endpoint.definition
        definition.name = names[ObjectIdentifier(endpoint.token)] ?? endpoint.name(of: nil)
        return definition
    }
}
