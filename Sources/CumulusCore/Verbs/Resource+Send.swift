// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Sends a request made elsewhere, with this resource's settings beneath it.
    ///
    /// The request's own URL is its target; at another origin than this resource's, only harmless settings are sent
    /// along, as for ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The request's body.
    /// - Returns: The response, regardless of its status, with its body.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func send(_ request: HTTPRequest, body: RequestBody = .none) async throws -> Response {
        let (place, headers) = try place(of: request)
        return try await place.request(request.method, .raw(body), headers: headers)
    }

    /// Sends a request made elsewhere and decodes the response.
    ///
    /// - Parameters:
    ///   - request: The request; its own URL is its target, as for ``send(_:body:)``.
    ///   - body: The request's body.
    ///   - type: The type to decode from the body of a successful response.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func send<Value: Decodable & Sendable>(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        as type: Value.Type
    ) async throws -> Value {
        let (place, headers) = try place(of: request)
        return try await place.request(request.method, .raw(body), as: type, headers: headers)
    }

    /// Sends a request made elsewhere and requires success.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func send(_ request: HTTPRequest, body: RequestBody = .none, as type: Void.Type) async throws {
        let (place, headers) = try place(of: request)
        try await place.request(request.method, .raw(body), as: type, headers: headers)
    }

    /// Sends a request made elsewhere and returns the response's body as it arrives, even while
    /// ``RequestBody/stream(_:)`` is still sending.
    ///
    /// ```swift
    /// let answer = try await site.send(request, body: .stream(questions), as: ResponseStream.self)
    /// for try await piece in answer { show(piece) }   // while questions are still sent
    /// ```
    ///
    /// If the server begins its response early, the call returns before the request's body has ended.
    ///
    /// - Parameters:
    ///   - request: The request; its own URL is its target, as for ``send(_:body:)``.
    ///   - body: The request's body.
    ///   - type: `ResponseStream.self`: the body is delivered as it arrives.
    ///   - anyStatus: Whether to return an unsuccessful response as well, instead of throwing.
    /// - Returns: The response, its body unread.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response and the first 64 KiB
    ///   of its body; `CancellationError` when the task is cancelled.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        as type: ResponseStream.Type,
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        let (place, headers) = try place(of: request)
        return try await place.bytes(request.method, .raw(body), headers: headers, anyStatus: anyStatus)
    }

    /// Sends a request made elsewhere and returns the response's body as it arrives; the same as
    /// ``send(_:body:as:anyStatus:)``.
    public func bytes(
        of request: HTTPRequest,
        body: RequestBody = .none,
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await send(request, body: body, as: ResponseStream.self, anyStatus: anyStatus)
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
