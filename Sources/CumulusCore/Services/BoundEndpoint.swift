// SPDX-License-Identifier: Apache-2.0

/// A client's endpoint, called like a function with the values that ``Endpoint`` defines.
public struct BoundEndpoint<each Input: Encodable & Sendable, Output: Sendable>: Sendable {
    let service: Service
    /// The endpoint's description.
    public let definition: EndpointDescription
    let form: ResponseForm<Output>
    let wanted: (any Any.Type)?

    /// Calls the endpoint.
    ///
    /// - Parameter input: Values for ``EndpointDescription/parameterNames`` in order, optionally followed by a whole
    ///   body, which is encoded in the endpoint's or the service's body format; `nil` means no value.
    /// - Returns: The endpoint's output.
    /// - Throws: ``CumulusError``, whose cause is an ``EndpointProblem`` if the values don't fit the endpoint;
    ///   `CancellationError` if the task is cancelled.
    public func callAsFunction(_ input: repeat each Input) async throws -> Output {
        try await prepare(repeat each input).send()
    }

    /// Makes a call that can be sent later, any number of times.
    ///
    /// - Parameter input: As for a call.
    /// - Returns: The call.
    public func prepare(_ input: repeat each Input) -> EndpointCall<Output> {
        let names = definition.parameterNames
        var arguments = EndpointArguments()
        var body: Payload?
        var position = 0
        for value in repeat each input {
            if position < names.count {
                arguments[names[position]] = value
            } else if position == names.count {
                body = EndpointRequest.payload(value, as: definition.bodyFormat ?? service.definition.bodyFormat)
            } else {
                // No parameter exists for it: the call is refused with this name.
                arguments["value \(position + 1)"] = value
            }
            position += 1
        }
        return EndpointCall(
            service: service,
            name: definition.name,
            endpoint: definition,
            arguments: arguments,
            body: body,
            identity: nil,
            form: form,
            wanted: wanted
        )
    }
}
