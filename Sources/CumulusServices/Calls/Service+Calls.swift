// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension Service {
    /// Creates a call of an endpoint by its name, which returns the response, regardless of its status.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - arguments: Values for the endpoint's parameters.
    ///   - body: A whole body, if it isn't made from parameters.
    /// - Returns: The call. If it doesn't fit the endpoint or a hook refuses it, sending it throws `CumulusError`,
    ///   whose cause is an ``EndpointProblem`` or the hook's error.
    public func call(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        body: Payload? = nil
    ) -> Call<Response> {
        call(endpoint(name), name, arguments, body: body, EndpointForm.whole)
    }

    /// Creates a call of an endpoint by its name, which returns a decoded value.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name.
    ///   - arguments: Values for the endpoint's parameters.
    ///   - type: The type to decode from the body of a successful response.
    ///   - body: A whole body, if it isn't made from parameters.
    /// - Returns: The call. If it doesn't fit the endpoint or a hook refuses it, sending it throws `CumulusError`,
    ///   whose cause is an ``EndpointProblem`` or the hook's error.
    public func call<Value: Decodable & Sendable>(
        _ name: String,
        _ arguments: EndpointArguments = [:],
        as type: Value.Type,
        body: Payload? = nil
    ) -> Call<Value> {
        call(endpoint(name), name, arguments, body: body, EndpointForm.value(type))
    }

    /// A call of an endpoint that was already looked up.
    func call<Output: Sendable>(
        _ endpoint: EndpointDescription?,
        _ name: String,
        _ arguments: EndpointArguments,
        body: Payload?,
        _ form: EndpointForm<Output>
    ) -> Call<Output> {
        do {
            let request = try request(endpoint, name, arguments, body: body)
            return form.call(request)
        } catch {
            return .failing(error, on: resource)
        }
    }
}

extension ServiceClient {
    /// An endpoint, which you call like a function to create a call: `try await github.user("weipin").send()`.
    public subscript<each Input: Encodable & Sendable, Output: Sendable>(
        dynamicMember path: KeyPath<Endpoints, Endpoint<repeat each Input, Output>>
    ) -> BoundEndpoint<repeat each Input, Output> {
        BoundEndpoint(service: service, definition: definition(of: path), form: endpoints[keyPath: path].form)
    }
}

// A type, since the compiler can't form the type of a function for an endpoint without input.
/// A client's endpoint, which you call like a function with the values that ``Endpoint`` defines.
public struct BoundEndpoint<each Input: Encodable & Sendable, Output: Sendable>: Sendable {
    let service: Service
    /// The endpoint's description.
    public let definition: EndpointDescription
    let form: EndpointForm<Output>

    /// Creates a call of the endpoint.
    ///
    /// - Parameter input: Values for ``EndpointDescription/parameterNames`` in order, or an ``EndpointInput``,
    ///   optionally followed by a whole body, which is encoded in the endpoint's or the service's body format; `nil`
    ///   means no value.
    /// - Returns: The call. If the values don't fit the endpoint, sending it throws `CumulusError`, whose cause is an
    ///   ``EndpointProblem``.
    public func callAsFunction(_ input: repeat each Input) -> Call<Output> {
        let names = definition.parameterNames
        var arguments = EndpointArguments()
        var body: Payload?
        var position = 0
        for value in repeat each input {
            if let input = value as? any EndpointInput {
                do {
                    arguments = try arguments.merging(EndpointArguments(members: input))
                } catch {
                    return .failing(
                        CumulusError(
                            .encoding,
                            stage: .encoding,
                            "the inputs of \(definition.name): \(error)",
                            cause: error
                        ),
                        on: service.resource
                    )
                }
                position = names.count
                continue
            }
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
        return service.call(definition, definition.name, arguments, body: body, form)
    }
}
