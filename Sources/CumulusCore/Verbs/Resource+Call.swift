// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Creates a call that returns the response, regardless of its status.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive. `HTTPRequest.Method("PURGE")` creates a custom one.
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The call; nothing is sent yet.
    public func call(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Response> {
        Call(self, method, payload, query, headers, .memory(.whole))
    }

    /// Creates a call for a decoded value; an unsuccessful status throws.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - type: The type to decode from the body of a successful response.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The call; nothing is sent yet.
    public func call<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Value> {
        Call(self, method, payload, query, headers, .memory(.value(type)))
    }

    /// Creates a call that sends a value and returns the response, regardless of its status.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The call; nothing is sent yet.
    public func call(
        _ method: HTTPRequest.Method,
        body value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Response> {
        Call(self, method, .value(value), query, headers, .memory(.whole))
    }

    /// Creates a call that sends a value, and decodes a value; an unsuccessful status throws.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - type: The type to decode from the body of a successful response.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The call; nothing is sent yet.
    public func call<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        body value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Value> {
        Call(self, method, .value(value), query, headers, .memory(.value(type)))
    }

    /// Creates a call from a request made elsewhere, with this resource's settings as its defaults.
    ///
    /// The request's own URL is its target. At an origin other than this resource's, only harmless settings apply, as
    /// for ``follow(_:)``. A request without a scheme and an authority, or with fields that can't be sent, creates a
    /// call that throws.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - payload: The request's body.
    /// - Returns: The call; nothing is sent yet.
    public func call(_ request: HTTPRequest, _ payload: Payload = .none) -> Call<Response> {
        do {
            let (place, headers) = try place(of: request)
            return Call(place, request.method, payload, [:], headers, .memory(.whole))
        } catch {
            return .failing(error, on: self)
        }
    }

    private func place(of request: HTTPRequest) throws -> (place: Resource, headers: Headers) {
        guard let scheme = request.scheme, let authority = request.authority else {
            throw CumulusError(.invalidURL, stage: .addressing, "the raw request has no scheme or no authority")
        }
        if let name = request.headerFields.malformedMethod { _ = try token(name) }
        if let malformation = request.headerFields.malformation {
            throw CumulusError(.invalidHeader, stage: .encoding, malformation.description, cause: malformation)
        }
        do {
            let url = try RequestURL(scheme: scheme, authority: authority, target: request.path ?? "/")
            return (follow(url), Headers(request.headerFields))
        } catch {
            throw CumulusError(.invalidURL, stage: .addressing, error.description, cause: error)
        }
    }
}
