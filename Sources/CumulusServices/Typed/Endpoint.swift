// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// An endpoint with the types of its input and output: `Endpoint<String, Int?, [Repository]>`.
///
/// The last type is the output: a value to decode, `Void` for success only, or `Response`. The types before it are the
/// inputs of a call, one for each of ``EndpointDescription/parameterNames`` in order; an additional input is the whole
/// body. An ``EndpointInput`` has labels and defaults for all of them. An endpoint is a property of a type that
/// conforms to ``ServiceEndpoints``, and is named after the property.
public struct Endpoint<each Input: Encodable & Sendable, Output: Sendable>: Sendable {
    /// The endpoint's description; its name is empty until a ``ServiceClient`` sets it to the property's name.
    public var definition: EndpointDescription
    let form: EndpointForm<Output>
    /// Identifies the endpoint, so that a client finds its name.
    let token: EndpointToken

    private init(_ definition: EndpointDescription, _ form: EndpointForm<Output>) {
        self.definition = definition
        self.form = form
        token = EndpointToken()
    }
}

/// What a call of an endpoint makes of its response.
struct EndpointForm<Output: Sendable>: Sendable {
    let call: @Sendable (EndpointRequest) -> Call<Output>
}

extension EndpointForm where Output == Response {
    /// The response, whatever its status.
    static var whole: EndpointForm {
        EndpointForm { $0.resource.call($0.method, $0.payload, query: $0.query, headers: $0.headers) }
    }
}

extension EndpointForm where Output == Void {
    /// Nothing, of a successful response.
    static var success: EndpointForm {
        EndpointForm { request in EndpointForm<Response>.whole.call(request).map { try $0.requireSuccess() } }
    }
}

extension EndpointForm where Output: Decodable {
    /// A value, of a successful response.
    static func value(_ type: Output.Type) -> EndpointForm {
        EndpointForm { $0.resource.call($0.method, $0.payload, as: type, query: $0.query, headers: $0.headers) }
    }
}

/// A unique identity of an endpoint.
final class EndpointToken: Sendable {}

extension Endpoint where Output: Decodable {
    /// Creates an endpoint whose response is decoded.
    public init(
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        parameters: [EndpointParameter] = [],
        name: String = ""
    ) {
        let definition = EndpointDescription(name, method, template: template, parameters: parameters)
        self.init(definition, .value(Output.self))
    }
}

extension Endpoint where Output == Void {
    /// Creates an endpoint that only requires success.
    public init(
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        parameters: [EndpointParameter] = [],
        name: String = ""
    ) {
        let definition = EndpointDescription(name, method, template: template, parameters: parameters)
        self.init(definition, .success)
    }
}

extension Endpoint where Output == Response {
    /// Creates an endpoint that returns the response, regardless of its status.
    public init(
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        parameters: [EndpointParameter] = [],
        name: String = ""
    ) {
        let definition = EndpointDescription(name, method, template: template, parameters: parameters)
        self.init(definition, .whole)
    }
}

extension Endpoint {
    /// Returns a copy of the endpoint with a more detailed description: formats, authorization, error format.
    ///
    /// - Parameter change: Changes the description.
    /// - Returns: The endpoint.
    public func describing(_ change: (inout EndpointDescription) -> Void) -> Endpoint {
        var endpoint = self
        change(&endpoint.definition)
        return endpoint
    }
}

/// An endpoint with any types.
protocol DescribedEndpoint {
    var definition: EndpointDescription { get }
    var token: EndpointToken { get }
    /// The number of input values; `nil` if one of them has a name for each parameter.
    var inputCount: Int? { get }
}

extension Endpoint: DescribedEndpoint {
    var inputCount: Int? {
        var count = 0
        for type in repeat (each Input).self {
            if type is any EndpointInput.Type { return nil }
            count += 1
        }
        return count
    }
}

extension DescribedEndpoint {
    /// Its own name, or that of its property; without both, its template.
    func name(of label: String?) -> String {
        definition.name.isEmpty ? label ?? definition.template.text : definition.name
    }
}
