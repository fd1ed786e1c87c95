// SPDX-License-Identifier: Apache-2.0

/// Encodes values as bytes and decodes them, for one kind of content.
public protocol BodyCoder: Sendable {
    /// The media type of encoded values, unless the request specifies one.
    var mediaType: MediaType { get }

    /// The `Accept` of a request whose response this coder will decode; by default JSON for JSON coders, otherwise
    /// `*/*`.
    var accept: String { get }

    /// Whether this coder encodes and decodes values of a type; true by default.
    ///
    /// A coder that doesn't is skipped if a media type or file extension would select it.
    func serves(_ type: any Any.Type) -> Bool

    /// Whether the coder itself finds a page's items in the whole body, for example at a fixed path. Default: false, so
    /// the paging rule finds them.
    var findsItems: Bool { get }

    /// Encodes a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - mediaType: The media type that the request names, with its charset; `nil` if it names none.
    /// - Returns: The bytes.
    /// - Throws: Any error; the request fails with ``CumulusError/Code/encoding``.
    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The requested type.
    ///   - bytes: The body.
    ///   - mediaType: The response's media type; `nil` if it has none.
    /// - Returns: The decoded value. Never invent a value for missing content.
    /// - Throws: Any error; the request fails with ``CumulusError/Code/decoding``.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws -> Value
}

extension BodyCoder {
    /// `application/json` for JSON coders, `*/*` for any other coder.
    public var accept: String { mediaType.essence == MediaType.json.essence ? mediaType.essence : "*/*" }

    /// The default: false.
    public var findsItems: Bool { false }

    /// Returns true for every type.
    public func serves(_ type: any Any.Type) -> Bool { true }
}
