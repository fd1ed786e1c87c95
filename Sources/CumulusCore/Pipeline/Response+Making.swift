// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Response {
    /// Creates a response to test your own validators, error decoders and test doubles.
    ///
    /// ```swift
    /// let refused = try Response(.notFound, body: ["message": "no such post"])
    /// ```
    ///
    /// - Parameters:
    ///   - status: The status; `404` also works.
    ///   - headers: The header fields; `Content-Type` is the body's unless you set it.
    ///   - body: The body, encoded like that of a request with the default coders.
    ///   - request: The request to which it responds; `nil` for a GET of `http://localhost/`.
    /// - Throws: ``CumulusError`` for a field or a body that can't be encoded, and for a body that isn't in memory.
    public init(
        _ status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        body: Payload = .none,
        to request: EncodedRequest? = nil
    ) throws {
        let place = Resource("http://localhost/", transport: NoTransport())
        let (settings, pipeline) = (place.snapshot, place.snapshot.pipeline)
        let made = CallRequest(resource: place, method: .post, payload: body, query: [:], headers: headers)
        let encoded = try pipeline.encoding.encode(made.draft(settings, pipeline))
        var fields = try Stage.run(.encoding, .invalidHeader, request: encoded) { try headers.fields() }
        // A response without a body keeps the fields that describe one, as the response to a HEAD request does.
        for name in [HTTPField.Name.contentType, .contentEncoding] {
            if let value = encoded.headers[name] { fields[name] = value }
        }
        let now = settings.value(ClockKey.self).moment
        self.init(
            Parts(
                head: ResponseHead(status: status, headers: fields),
                body: CollectedBody(bytes: try Response.bytes(of: encoded), isComplete: true),
                end: ExchangeEnd(),
                request: try request ?? EncodedRequest(method: .get, url: RequestURL("http://localhost/")),
                redirects: [],
                started: now,
                endedAt: now,
                coders: settings.values.coders
            )
        )
    }

    private static func bytes(of request: EncodedRequest) throws -> ByteChunk {
        switch request.body {
        case .none: return .empty
        case .bytes(let bytes): return bytes
        case .file, .stream:
            let reason = "a response needs a body in memory, not a file or a stream"
            throw CumulusError(.encoding, stage: .encoding, reason, request: request)
        }
    }
}
