// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// A request that a service created from an endpoint and a call's values, before it is sent.
///
/// Hooks may change it.
///
///     github.hooks.append { request in
///         guard request.endpoint.name == "search" else { return }
///         request.resource = request.resource.with { $0.timeout = .seconds(60) }
///     }
public struct EndpointRequest: Sendable {
    /// The endpoint.
    public let endpoint: EndpointDescription
    /// The call's values, before they were put into the URL, the header fields and the body.
    public let arguments: EndpointArguments
    /// The resource of the request, with its settings.
    ///
    /// To set a setting for this request alone: `request.resource = request.resource.with { }`.
    public var resource: Resource
    /// The method.
    public var method: HTTPRequest.Method
    /// Query items in addition to those in the template.
    public var query: Query
    /// Header fields, merged over those that the resource inherits.
    public var headers: Headers
    /// The request's payload.
    public var payload: Payload
}

/// A hook that sees each request of a service; it refuses a request by throwing.
///
/// The call then fails with `CumulusError.Code.refused` at the stage `RequestStage.preflight`; its cause is the
/// hook's error.
public typealias EndpointHook = @Sendable (inout EndpointRequest) throws -> Void

extension EndpointRequest {
    /// The error of a call that a hook of the service refused.
    func refusal(by error: any Error, of service: String) -> any Error {
        if error is CancellationError { return error }
        let url = resource.urlString.flatMap { try? RequestURL($0) }
        let request = url.map { EncodedRequest(method: method, url: $0) }
        let message = "\(service), \(endpoint.name): \(error)"
        return CumulusError(.refused, stage: .preflight, message, request: request, cause: error)
    }
}

extension EndpointRequest: Redacted {
    /// The name, method and URL, without secrets.
    public var description: String { "\(endpoint.name): \(method.rawValue) \(resource)" }
}
