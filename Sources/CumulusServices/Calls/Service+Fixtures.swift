// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

extension Service {
    /// Answers an endpoint's calls with a fixture instead of the network: for tests, and for working offline.
    ///
    /// It answers whatever the path's values are; `Resource.Settings.fixtures` says what else runs.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - fixture: The response.
    /// - Throws: ``EndpointProblem`` for an unknown endpoint, or one whose template has no fixed path.
    public func stub(_ name: String, with fixture: Fixture) throws {
        guard let endpoint = endpoint(name) else { throw EndpointProblem.unknownEndpoint(name) }
        try stub(endpoint, with: fixture)
    }

    func stub(_ endpoint: EndpointDescription, with fixture: Fixture) throws {
        let signature = try signature(of: endpoint)
        resource.setRules { $0.fixtures[signature] = fixture }
    }

    /// The signature of an endpoint's requests, for fixtures.
    ///
    /// - Throws: ``EndpointProblem`` for an unknown endpoint, or one whose template has no fixed path.
    public func fixtureSignature(of name: String) throws -> FixtureSignature {
        guard let endpoint = endpoint(name) else { throw EndpointProblem.unknownEndpoint(name) }
        return try signature(of: endpoint)
    }

    private func signature(of endpoint: EndpointDescription) throws(EndpointProblem) -> FixtureSignature {
        let template = endpoint.template
        let problem = EndpointProblem.invalidDescription(
            "the template \(PeerText.quoted(template.text)) has no path that a fixture could match"
        )
        var base: RequestURL?
        var path = template
        if let divided = template.dividedAtOrigin() {
            (base, path) = (try? RequestURL(divided.origin), divided.path)
            if base == nil { throw problem }
        } else if let name = endpoint.server {
            base = definition.server(name).flatMap { try? RequestURL.parse($0.url).url }
        }
        guard let pattern = PathPattern(of: path) else { throw problem }
        return FixtureSignature(endpoint.method, pattern, below: base)
    }
}
