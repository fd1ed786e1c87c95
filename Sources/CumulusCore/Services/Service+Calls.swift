// SPDX-License-Identifier: Apache-2.0

extension Service {
    /// Calls an endpoint by its name.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - arguments: Values for its parameters.
    ///   - body: A whole body, if it isn't made from parameters.
    ///   - identity: The request's name, and whether it replaces or joins another with that name.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, whose cause is an ``EndpointProblem`` if the call doesn't fit the endpoint;
    ///   `CancellationError` if the task is cancelled.
    public func call(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        body: Payload? = nil,
        identity: RequestIdentity? = nil
    ) async throws -> Response {
        try await prepare(name, arguments, body: body, identity: identity).send()
    }

    /// Calls an endpoint by its name, and decodes the response.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - arguments: Values for its parameters.
    ///   - type: The type to decode from the body of a successful response.
    ///   - body: A whole body, if it isn't made from parameters.
    ///   - identity: The request's name, and whether it replaces or joins another with that name.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: The errors of the other calls; ``CumulusError/Code/status`` for an unsuccessful response.
    public func call<Value: Decodable & Sendable>(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        as type: Value.Type,
        body: Payload? = nil,
        identity: RequestIdentity? = nil
    ) async throws -> Value {
        try await prepare(name, arguments, as: type, body: body, identity: identity).send()
    }

    /// Calls an endpoint by its name, and requires success.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - arguments: Values for its parameters.
    ///   - type: `Void.self`: nothing is decoded.
    ///   - body: A whole body, if it isn't made from parameters.
    ///   - identity: The request's name, and whether it replaces or joins another with that name.
    /// - Throws: The errors of the other calls; ``CumulusError/Code/status`` for an unsuccessful response.
    public func call(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        as type: Void.Type,
        body: Payload? = nil,
        identity: RequestIdentity? = nil
    ) async throws {
        try await prepare(name, arguments, as: type, body: body, identity: identity).send()
    }

    /// Makes a call for the response, whatever its status; it can be sent later, any number of times.
    public func prepare(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        body: Payload? = nil,
        identity: RequestIdentity? = nil
    ) -> EndpointCall<Response> {
        EndpointCall(
            service: self,
            name: name,
            endpoint: endpoint(name),
            arguments: arguments,
            body: body,
            identity: identity,
            form: .whole,
            wanted: nil
        )
    }

    /// Makes a call whose response is decoded; it can be sent later, any number of times.
    public func prepare<Value: Decodable & Sendable>(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        as type: Value.Type,
        body: Payload? = nil,
        identity: RequestIdentity? = nil
    ) -> EndpointCall<Value> {
        EndpointCall(
            service: self,
            name: name,
            endpoint: endpoint(name),
            arguments: arguments,
            body: body,
            identity: identity,
            form: .value(type),
            wanted: type
        )
    }

    /// Makes a call that requires success; it can be sent later, any number of times.
    public func prepare(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        as type: Void.Type,
        body: Payload? = nil,
        identity: RequestIdentity? = nil
    ) -> EndpointCall<Void> {
        EndpointCall(
            service: self,
            name: name,
            endpoint: endpoint(name),
            arguments: arguments,
            body: body,
            identity: identity,
            form: .success,
            wanted: nil
        )
    }
}
