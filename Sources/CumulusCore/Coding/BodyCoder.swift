// SPDX-License-Identifier: Apache-2.0

/// Turns values into bytes and bytes into values, for one kind of content.
public protocol BodyCoder: Sendable {
    /// What an encoded value is called, unless the request names a type itself.
    var mediaType: MediaType { get }

    /// The `Accept` of a request whose answer this coder is to decode; by default JSON for JSON coders, else `*/*`.
    var accept: String { get }

    /// Whether this coder makes, and takes, values of a type; by default it does.
    ///
    /// One that says no is passed over where a media type or file extension would choose it.
    func serves(_ type: any Any.Type) -> Bool

    /// The bytes of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - mediaType: What the request calls it, with its charset; `nil` if it says nothing.
    /// - Returns: The bytes.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/encoding``.
    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk

    /// The value of bytes.
    ///
    /// - Parameters:
    ///   - type: What the caller wants.
    ///   - bytes: The body.
    ///   - mediaType: What the response calls it; `nil` if it says nothing.
    /// - Returns: The value; never one that is not there.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/decoding``.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws -> Value
}

extension BodyCoder {
    /// `application/json` for a coder of JSON, `*/*` for any other.
    public var accept: String { mediaType.essence == MediaType.json.essence ? mediaType.essence : "*/*" }

    /// Any type.
    public func serves(_ type: any Any.Type) -> Bool { true }
}
