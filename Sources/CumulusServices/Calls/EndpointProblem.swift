// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The reason why a call of an endpoint was refused before anything was sent; the cause of a `CumulusError`.
public enum EndpointProblem: Error, Sendable, Hashable {
    /// The service has no endpoint with this name.
    case unknownEndpoint(String)
    /// The endpoint has no parameter with this name.
    case unknownParameter(String)
    /// Required parameters are missing from the call.
    case missingParameters([String])
    /// A value has the wrong kind, or is not a value that the service accepts.
    case unusableValue(parameter: String, reason: String)
    /// The call has both a whole body and values for body parameters, or a file that can't be sent.
    case unusableBody(String)
    /// The endpoint requires authorization, but the service has none.
    case missingAuthorization(AuthorizationNeed)
    /// The endpoint requires authorization, and the description names a server at an origin other than its own. To have
    /// credentials sent there, name the server yourself.
    case thirdPartyServer(String)
    /// The endpoint's own description is invalid; ``ServiceDescription/verify()`` reports where.
    case invalidDescription(String)
}

extension EndpointProblem: CustomStringConvertible {
    /// A description of the problem.
    public var description: String {
        switch self {
        case .unknownEndpoint(let name): "there is no endpoint \(PeerText.quoted(name))"
        case .unknownParameter(let name): "there is no parameter \(PeerText.quoted(name))"
        case .missingParameters(let names):
            "\(names.map { PeerText.quoted($0) }.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") required"
        case .unusableValue(let name, let reason): "the value for \(PeerText.quoted(name)) \(reason)"
        case .unusableBody(let reason): reason
        case .missingAuthorization(let need): "the endpoint requires authorization, but none is set: \(need)"
        case .thirdPartyServer(let server):
            "the server \(server) is not at the description's origin; choose the server explicitly to send credentials"
        case .invalidDescription(let reason): reason
        }
    }
}

extension EndpointProblem {
    /// The error of the call.
    func error(of endpoint: String, in service: String) -> CumulusError {
        let code: CumulusError.Code =
            switch self {
            case .missingAuthorization, .thirdPartyServer: .authorization
            default: .invalidRequest
            }
        let place: String = if case .unknownEndpoint = self { service } else { "\(service), \(endpoint)" }
        return CumulusError(
            code,
            stage: code == .authorization ? .authorization : .addressing,
            "\(place): \(description)",
            cause: self
        )
    }
}
