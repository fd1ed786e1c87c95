// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
public import HTTPTypes

/// The requests that an endpoint makes, regardless of the values in their paths.
public struct EndpointSignature: Sendable, Hashable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The pattern of the path below ``base``.
    public let path: PathPattern
    /// The base of the path if the endpoint has its own server; `nil` for the service's resource.
    public let base: RequestURL?
}

extension Service {
    /// Returns the method and path pattern of an endpoint's requests, for stubs, logs and limits that match a pattern.
    ///
    /// - Parameter name: The endpoint's name.
    /// - Returns: The method and the pattern.
    /// - Throws: ``EndpointProblem`` for an unknown endpoint, or for an endpoint whose template has no fixed path.
    public func signature(of name: String) throws(EndpointProblem) -> EndpointSignature {
        guard let endpoint = endpoint(name) else { throw EndpointProblem.unknownEndpoint(name) }
        return try signature(of: endpoint)
    }

    func signature(of endpoint: EndpointDescription) throws(EndpointProblem) -> EndpointSignature {
        let template = endpoint.template
        let problem = EndpointProblem.invalidDescription(
            "the template \(PeerText.quoted(template.text)) has no path that a pattern could match"
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
        return EndpointSignature(method: endpoint.method, path: pattern, base: base)
    }
}

extension ServiceClient {
    /// Returns the method and path pattern of an endpoint's requests; see ``Service/signature(of:)``.
    ///
    /// - Throws: ``EndpointProblem`` for an endpoint whose template has no fixed path.
    public func signature<each Input: Encodable & Sendable, Output: Sendable>(
        of path: KeyPath<Endpoints, Endpoint<repeat each Input, Output>>
    ) throws(EndpointProblem) -> EndpointSignature { try service.signature(of: definition(of: path)) }
}
