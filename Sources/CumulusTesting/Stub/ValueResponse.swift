// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// A response for a test, created from values: ``StubResponse``, ``Fixture`` and `ServerResponse`.
public protocol ValueResponse: Sendable {
    /// Creates a response with a body of bytes.
    static func response(_ status: HTTPResponse.Status, headers: Headers, body: [UInt8]) -> Self
    /// Creates a response with a value as JSON, by default encoded immediately by a `JSONCoder`.
    static func json(encoding value: some Encodable & Sendable, _ status: HTTPResponse.Status, headers: Headers) -> Self
    /// Creates the response that replaces a value that can't be encoded.
    static func failure(_ error: any Error) -> Self
    /// Returns a copy of the response that is sent after a delay.
    func delayed(by time: Duration) -> Self
}

extension ValueResponse {
    /// Creates a response with a value as JSON, or with the failure to encode it.
    public static func json(
        encoding value: some Encodable & Sendable,
        _ status: HTTPResponse.Status,
        headers: Headers
    ) -> Self {
        do {
            return .bytes(try JSONCoder().encode(value, as: .json).bytes, type: .json, status: status, headers: headers)
        } catch {
            return failure(error)
        }
    }

    /// Creates a response with a value as JSON.
    public static func json(
        _ value: some Encodable & Sendable,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self { json(encoding: value, status, headers: headers).delayed(by: delay) }

    /// Creates a response with a dynamic value as JSON.
    public static func json(
        _ value: JSON,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self { .bytes(value.encoded(), type: .json, status: status, headers: headers, delay: delay) }

    /// Creates a response with members of several types as a JSON object, in the order written: `.json(["name": name,
    /// "count": 7])`; `nil` is `null`.
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self {
        .json(MixedObject(members), status: status, headers: headers, delay: delay)
    }

    /// Creates a response with JSON text, which is sent unchanged.
    public static func json(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self { .bytes(Array(text.utf8), type: .json, status: status, headers: headers, delay: delay) }

    /// Creates a response with text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: The text's `Content-Type`, unless `headers` contains one; `nil` for `text/plain; charset=utf-8`.
    ///   - status: The status.
    ///   - headers: The header fields.
    ///   - delay: The time before the response.
    /// - Returns: The response.
    public static func text(
        _ text: String,
        type: MediaType? = nil,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self {
        let plain = MediaType("text", "plain", parameters: [.init(name: "charset", value: "utf-8")])
        return .bytes(Array(text.utf8), type: type ?? plain, status: status, headers: headers, delay: delay)
    }

    /// Creates a response with bytes; `type` is their `Content-Type` unless `headers` contains one.
    public static func bytes(
        _ bytes: some ByteStorage,
        type: MediaType? = nil,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self {
        var headers = headers
        if let type, headers[.contentType] == nil { headers[.contentType] = type.description }
        let bytes = ByteChunk(bytes).withUnsafeBytes { Array($0) }
        return response(status, headers: headers, body: bytes).delayed(by: delay)
    }

    /// Creates a response without a body.
    public static func status(
        _ status: HTTPResponse.Status,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Self { .bytes([UInt8](), status: status, headers: headers, delay: delay) }
}
