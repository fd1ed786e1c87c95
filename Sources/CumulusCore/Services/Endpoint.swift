// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// An endpoint with the types of what it takes and gives: `Endpoint<String, Int?, [Repository]>`.
///
/// The last type is what it gives: a value to decode, `Void` for success only, or ``Response``. Those before are what a
/// call takes, one for each of ``EndpointDescription/parameterNames`` in that order; one more than these is the whole
/// body. It is a property of a type that conforms to ``ServiceEndpoints``, which names it.
public struct Endpoint<each Input: Encodable & Sendable, Output: Sendable>: Sendable {
    /// What the endpoint is; its name is empty until a ``ServiceClient`` gives it that of the property.
    public var definition: EndpointDescription
    let form: ResponseForm<Output>
    let wanted: (any Any.Type)?
    /// Tells it from others, so that a client finds its name.
    let token: EndpointToken

    private init(_ definition: EndpointDescription, _ form: ResponseForm<Output>, wanted: (any Any.Type)?) {
        self.definition = definition
        self.form = form
        self.wanted = wanted
        token = EndpointToken()
    }
}

/// What one endpoint has and no other.
final class EndpointToken: Sendable {}

extension Endpoint where Output: Decodable {
    /// Describes an endpoint whose answer is decoded.
    public init(
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        parameters: [EndpointParameter] = [],
        name: String = ""
    ) {
        let definition = EndpointDescription(name, method, template: template, parameters: parameters)
        self.init(definition, .value(Output.self), wanted: Output.self)
    }
}

extension Endpoint where Output == Void {
    /// Describes an endpoint of which nothing is asked but success.
    public init(
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        parameters: [EndpointParameter] = [],
        name: String = ""
    ) {
        let definition = EndpointDescription(name, method, template: template, parameters: parameters)
        self.init(definition, .success, wanted: nil)
    }
}

extension Endpoint where Output == Response {
    /// Describes an endpoint whose response is given as it is, whatever its status.
    public init(
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        parameters: [EndpointParameter] = [],
        name: String = ""
    ) {
        let definition = EndpointDescription(name, method, template: template, parameters: parameters)
        self.init(definition, .whole, wanted: nil)
    }
}

extension Endpoint {
    /// The same endpoint with more said of it: formats, authorization, how errors are told.
    ///
    /// - Parameter change: Changes the description.
    /// - Returns: The endpoint.
    public func describing(_ change: (inout EndpointDescription) -> Void) -> Endpoint {
        var endpoint = self
        change(&endpoint.definition)
        return endpoint
    }
}

/// An endpoint of any types.
protocol DescribedEndpoint {
    var definition: EndpointDescription { get }
    var token: EndpointToken { get }
    /// How many values it takes.
    var inputCount: Int { get }
}

extension Endpoint: DescribedEndpoint {
    var inputCount: Int {
        var count = 0
        for _ in repeat (each Input).self { count += 1 }
        return count
    }
}

extension DescribedEndpoint {
    /// The name of its own, or that of the property that it is; one that has neither goes by its template.
    func name(of label: String?) -> String {
        definition.name.isEmpty ? label ?? definition.template.text : definition.name
    }
}
