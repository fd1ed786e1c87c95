// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A resource whose values a function makes from what its server sends: `Data` into your own picture.
///
/// ```swift
/// let pictures = site["pictures"].converting(Data.self) { data, _ in try Picture(data) }
/// let picture = try await pictures["abc123"].get()                        // a Picture
/// let thumbnails = pictures.converting { picture, _ in picture.scaled() } // a chain
/// ```
///
/// The functions run off the caller's actor, after the post-processors of the settings, and each gets the previous
/// one's value. Children give values of the same type.
public struct ConvertingResource<Value: Sendable>: Sendable {
    /// The place, with the functions among its post-processors.
    public let resource: Resource
    /// What the body is decoded as, before the functions.
    private let source: any (Decodable & Sendable).Type

    init(_ resource: Resource, of source: any (Decodable & Sendable).Type) {
        self.resource = resource
        self.source = source
    }

    /// A child that gives values of the same type.
    public subscript(path: ResourcePath) -> ConvertingResource { ConvertingResource(resource[path], of: source) }

    /// A child by number.
    public subscript(number: some BinaryInteger) -> ConvertingResource {
        ConvertingResource(resource[number], of: source)
    }

    /// A child by one segment, all of it data.
    public subscript(segment value: some CustomStringConvertible) -> ConvertingResource {
        ConvertingResource(resource[segment: value], of: source)
    }

    /// Sends a request with any method and converts the response.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response and
    ///   ``CumulusError/Code/postProcessing`` for what a function throws; `CancellationError` when the task is cancelled.
    public func request(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value { try await resource.convert(method, payload, query, headers, of: source) }

    /// Sends a request with a method given by name and converts the response; it throws if that is not a token.
    public func request(
        _ method: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await request(resource.token(method), payload, query: query, headers: headers)
    }

    /// Sends a GET request and converts the response; it throws as a request does.
    public func get(query: Query = [:], headers: Headers = [:]) async throws -> Value {
        try await request(.get, query: query, headers: headers)
    }

    /// Sends a POST request and converts the response; it throws as a request does.
    public func post(_ payload: Payload = .none, query: Query = [:], headers: Headers = [:]) async throws -> Value {
        try await request(.post, payload, query: query, headers: headers)
    }

    /// Sends a POST request with a value and converts the response; it throws as a request does.
    public func post(
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value { try await request(.post, .value(value), query: query, headers: headers) }

    /// Makes a request to be sent later, any number of times.
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

    /// Makes a request with a method given by name, to be sent later, any number of times.
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

    /// The same place with one more function after the existing ones.
    ///
    /// - Parameter change: Converts the previous value; if it throws, the call fails with
    ///   ``CumulusError/Code/postProcessing``.
    /// - Returns: The place, whose calls give the new values.
    public func converting<New: Sendable>(
        _ change: @escaping @Sendable (Value, Response) async throws -> New
    ) -> ConvertingResource<New> { ConvertingResource<New>(resource.appending(change), of: source) }
}

extension Resource {
    /// This place, whose values a function converts, and those of its children.
    ///
    /// - Parameters:
    ///   - source: The type to decode from the body of a successful response: `Data`, `JSON`, your own type.
    ///   - change: Makes the value; if it throws, the call fails with ``CumulusError/Code/postProcessing``.
    /// - Returns: The place, whose calls give the new values; this resource stays as it is.
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

/// A post-processor before a conversion gave a value of another type.
private struct ConversionProblem: Error, CustomStringConvertible {
    let found: any Any.Type
    let wanted: any Any.Type

    var description: String { "a conversion takes \(wanted), and a post-processor before it made \(found)" }
}
