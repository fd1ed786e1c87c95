// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

extension REST {
    /// Sends a request made elsewhere, to the URL in it.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func send(_ request: HTTPRequest, body: RequestBody = .none) async throws -> Response {
        try await place(of: request).send(request, body: body)
    }

    /// Sends a request made elsewhere, to the URL in it, and decodes the response.
    ///
    /// - Throws: `CumulusError`, with its code `status` for an unsuccessful response; `CancellationError` when the task
    ///   is cancelled.
    public static func send<Value: Decodable & Sendable>(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        as type: Value.Type
    ) async throws -> Value {
        try await place(of: request).send(request, body: body, as: type)
    }

    /// Sends a request made elsewhere, to the URL in it, and requires success.
    ///
    /// - Throws: `CumulusError`, with its code `status` for an unsuccessful response; `CancellationError` when the task
    ///   is cancelled.
    public static func send(_ request: HTTPRequest, body: RequestBody = .none, as type: Void.Type) async throws {
        try await place(of: request).send(request, body: body, as: type)
    }

    /// Sends a request made elsewhere, to the URL in it, and passes on the body of the answer as it arrives, while a
    /// stream may still be sending.
    ///
    /// An unsuccessful response is thrown unless `anyStatus` is set.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        as type: ResponseStream.Type,
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await place(of: request).send(request, body: body, as: type, anyStatus: anyStatus)
    }

    /// Sends a request made elsewhere, to the URL in it, and passes on the body of the answer as it arrives.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func bytes(
        of request: HTTPRequest,
        body: RequestBody = .none,
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await place(of: request).bytes(of: request, body: body, anyStatus: anyStatus)
    }

    private static func place(of request: HTTPRequest) -> Resource {
        resource("\(request.scheme ?? "")://\(request.authority ?? "")")
    }
}
