// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import CumulusServices

extension FixtureSignature {
    /// Creates a signature that matches the requests of a service's endpoint.
    public init(_ endpoint: EndpointSignature) { self.init(endpoint.method, endpoint.path, below: endpoint.base) }
}

extension Service {
    /// Responds to an endpoint's calls with a fixture instead of the network, for tests and for working offline.
    ///
    /// The fixture responds regardless of the path's values; `Resource.Settings.fixtures` describes the other stages of
    /// a call.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - fixture: The response.
    /// - Throws: `EndpointProblem` for an unknown endpoint, or for an endpoint whose template has no fixed path.
    public func stub(_ name: String, with fixture: Fixture) throws {
        let signature = FixtureSignature(try signature(of: name))
        resource.setRules { $0.fixtures[signature] = fixture }
    }
}

extension ServiceClient {
    /// Responds to an endpoint's calls with a fixture instead of the network; see `Service.stub(_:with:)`.
    public func stub<each Input: Encodable & Sendable, Output: Sendable>(
        _ path: KeyPath<Endpoints, Endpoint<repeat each Input, Output>>,
        with fixture: Fixture
    ) throws {
        let signature = FixtureSignature(try signature(of: path))
        service.resource.setRules { $0.fixtures[signature] = fixture }
    }
}
