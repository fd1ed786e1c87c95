// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request that a service has made of an endpoint and a call's values, before it is sent: what a hook may change.
///
///     github.hooks.append { request in
///         if request.endpoint.name == "search" { request.resource.timeout = .seconds(60) }
///     }
public struct EndpointRequest: Sendable {
    /// The endpoint.
    public let endpoint: EndpointDescription
    /// Where it goes, with the settings that it has.
    ///
    /// The object is this request's own: what is set on it concerns no other.
    public let resource: Resource
    /// The method.
    public var method: HTTPRequest.Method
    /// Items of the query beside those of the template.
    public var query: Query
    /// Header fields, over those that the resource inherits.
    public var headers: Headers
    /// What it carries.
    public var payload: Payload
}

/// A hook that sees each request that a service makes; throwing refuses it.
public typealias EndpointHook = @Sendable (inout EndpointRequest) throws -> Void

extension EndpointRequest: CustomStringConvertible, CustomReflectable {
    /// Name, method and URL, without secrets.
    public var description: String { "\(endpoint.name): \(method.rawValue) \(resource)" }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
