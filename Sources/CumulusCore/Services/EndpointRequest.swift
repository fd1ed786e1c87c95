// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request that a service made from an endpoint and a call's values, before it is sent; hooks may change it.
///
///     github.hooks.append { request in
///         if request.endpoint.name == "search" { request.resource.timeout = .seconds(60) }
///     }
public struct EndpointRequest: Sendable {
    /// The endpoint.
    public let endpoint: EndpointDescription
    /// The resource of the request, with its settings.
    ///
    /// The object belongs to this request: settings on it affect no other.
    public let resource: Resource
    /// The method.
    public var method: HTTPRequest.Method
    /// Query items in addition to those of the template.
    public var query: Query
    /// Header fields, merged over those that the resource inherits.
    public var headers: Headers
    /// The request's payload.
    public var payload: Payload
}

/// A hook that sees each request of a service; it refuses a request by throwing.
public typealias EndpointHook = @Sendable (inout EndpointRequest) throws -> Void

extension EndpointRequest: CustomStringConvertible, CustomReflectable {
    /// The name, method and URL, without secrets.
    public var description: String { "\(endpoint.name): \(method.rawValue) \(resource)" }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
