// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Payload {
    /// Returns a copy of the payload with a trailer field, whose value is computed after the last byte is sent: a
    /// count, a checksum or a signature of a stream (RFC 9110 section 6.5).
    ///
    /// The request's `Trailer` header lists the name. In HTTP/1.1 the body is sent chunked, without a `Content-Length`.
    /// If the request is sent again, after a redirect for example, the value is computed again. Many servers and
    /// proxies ignore trailers.
    ///
    /// Before anything is sent, the call fails with ``CumulusError/Code/invalidRequest`` for a name that is not allowed
    /// in trailers, such as `Content-Type`, and with ``CumulusError/Code/unsupported`` if the transport can't send
    /// trailers, as with URLSession. If `value` throws, or returns a string that is not allowed in a header, the call
    /// fails with ``CumulusError/Code/requestBody``, and the server doesn't receive a complete body.
    ///
    /// - Parameters:
    ///   - name: The field's name. Call the method again to add another field.
    ///   - value: Computes the field's value; `nil` omits the field. It runs in the task that produces the body, and is
    ///     cancelled with it.
    /// - Returns: The payload.
    public func trailer(
        _ name: Headers.Name,
        _ value: @escaping @Sendable () async throws -> String?
    ) -> Payload {
        Payload(content: .trailed(content, name, value))
    }
}

extension RequestBody {
    /// The same body with a trailer field, which is announced in the request's header fields.
    ///
    /// - Throws: `Headers.Malformation` for a name that is not a token.
    func trailed(
        by name: Headers.Name,
        _ value: @escaping @Sendable () async throws -> String?,
        announcedIn headers: inout HTTPFields
    ) throws(Headers.Malformation) -> RequestBody {
        let name = try name.fieldName()
        headers[.trailer] = headers[.trailer].map { "\($0), \(name)" } ?? name.rawName
        let stream = pieces ?? StreamBody(replay: .restartable) { _, _ in }
        return .stream(stream.trailed(by: name, value))
    }
}

extension RequestBody {
    /// The same body without trailers.
    var withoutTrailers: RequestBody {
        guard case .stream(let stream) = self, stream.trailers != nil else { return self }
        return .stream(StreamBody(stream, trailers: nil))
    }
}

extension StreamBody {
    /// The same stream with a trailer field after those that it has.
    fileprivate func trailed(
        by name: HTTPField.Name,
        _ value: @escaping @Sendable () async throws -> String?
    ) -> StreamBody {
        StreamBody(withoutLength) { [trailers] in
            var fields = try await trailers?() ?? [:]
            if let value = try await value() {
                fields.append(contentsOf: try ([Headers.Name(name): value] as Headers).fields())
            }
            return fields
        }
    }

    /// The same stream without a length for the transport; a declared length is enforced here instead.
    private var withoutLength: StreamBody {
        if length == nil { return self }
        return recoded { [body = RequestBody.stream(self)] writer, _ in
            try await body.read { try await writer.write($0) }
        }
    }
}
