// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A resource whose responses a function converts into your own type: `Data` into a picture, for example.
///
/// ```swift
/// let pictures = site["pictures"].converting(Data.self) { data, _ in try Picture(data) }
/// let picture = try await pictures["abc123"].get()                        // a Picture
/// let thumbnails = pictures.converting { picture, _ in picture.scaled() } // a chain
/// ```
///
/// The functions run off the caller's actor, after the post-processors of the settings, and each gets the previous
/// one's value. Children convert in the same way.
public struct ConvertingResource<Value: Sendable>: Sendable {
    /// The place, with the functions among its post-processors.
    public let resource: Resource
    /// What the body is decoded as, before the functions.
    private let source: any (Decodable & Sendable).Type

    init(_ resource: Resource, of source: any (Decodable & Sendable).Type) {
        self.resource = resource
        self.source = source
    }

    /// A child whose values have the same type.
    public subscript(path: ResourcePath) -> ConvertingResource { ConvertingResource(resource[path], of: source) }

    /// A child by number.
    public subscript(number: some BinaryInteger) -> ConvertingResource {
        ConvertingResource(resource[number], of: source)
    }

    /// A child by one segment, escaped as data.
    public subscript(segment value: some CustomStringConvertible) -> ConvertingResource {
        ConvertingResource(resource[segment: value], of: source)
    }

    /// Sends a request with any method and converts the response.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response and
    ///   ``CumulusError/Code/postProcessing`` for a function's error; `CancellationError` when the task is cancelled.
    public func request(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value { try await resource.convert(method, payload, query, headers, of: source) }

    /// Sends a request with a method given by name and converts the response; throws if the name is not a token.
    public func request(
        _ method: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await request(resource.token(method), payload, query: query, headers: headers)
    }

    /// Sends a GET request and converts the response; throws as `request` does.
    public func get(query: Query = [:], headers: Headers = [:]) async throws -> Value {
        try await request(.get, query: query, headers: headers)
    }

    /// Sends a POST request and converts the response; throws as `request` does.
    public func post(_ payload: Payload = .none, query: Query = [:], headers: Headers = [:]) async throws -> Value {
        try await request(.post, payload, query: query, headers: headers)
    }

    /// Sends a POST request with a value and converts the response; throws as `request` does.
    public func post(
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value { try await request(.post, .value(value), query: query, headers: headers) }

    /// Makes a request to send later, any number of times.
    public func prepare(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Value> {
        PreparedRequest(resource) { [resource, source] start in
            let started = ConvertingResource(resource.started(start), of: source)
            return try await started.request(method, payload, query: query, headers: headers)
        }
    }

    /// Makes a request with a method given by name, to send later, any number of times.
    public func prepare(
        _ method: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Value> {
        PreparedRequest(resource) { [resource, source] start in
            let started = ConvertingResource(resource.started(start), of: source)
            return try await started.request(method, payload, query: query, headers: headers)
        }
    }

    /// The same place with another function after the existing ones.
    ///
    /// - Parameter change: Converts the previous value; if it throws, the call fails with
    ///   ``CumulusError/Code/postProcessing``.
    /// - Returns: The place; its calls return the new values.
    public func converting<New: Sendable>(
        _ change: @escaping @Sendable (Value, Response) async throws -> New
    ) -> ConvertingResource<New> { ConvertingResource<New>(resource.appending(change), of: source) }
}

extension Resource {
    /// This place with a function that converts its values and those of its children.
    ///
    /// - Parameters:
    ///   - source: The type to decode from the body of a successful response: `Data`, `JSON`, your own type.
    ///   - change: Converts the decoded value; if it throws, the call fails with ``CumulusError/Code/postProcessing``.
    /// - Returns: The place; its calls return the converted values. This resource doesn't change.
    public func converting<Source: Decodable & Sendable, Value: Sendable>(
        _ source: Source.Type,
        _ change: @escaping @Sendable (Source, Response) async throws -> Value
    ) -> ConvertingResource<Value> { ConvertingResource<Value>(appending(change), of: source) }

    fileprivate func appending<Old: Sendable, New: Sendable>(
        _ change: @escaping @Sendable (Old, Response) async throws -> New
    ) -> Resource {
        with { settings in
            settings.postProcessors.append { value, response in
                guard let value = value as? Old else {
                    throw ConversionProblem(found: type(of: value), wanted: Old.self)
                }
                return try await change(value, response)
            }
        }
    }
}

/// An earlier post-processor returned a value of another type than the conversion expects.
private struct ConversionProblem: Error, CustomStringConvertible {
    let found: any Any.Type
    let wanted: any Any.Type

    var description: String { "a conversion takes \(wanted), and a post-processor before it made \(found)" }
}
