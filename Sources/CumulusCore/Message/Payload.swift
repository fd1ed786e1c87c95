// SPDX-License-Identifier: Apache-2.0

/// What a request carries, before it is encoded.
///
/// Verbs take your `Encodable` values directly; this is for everything else, and for naming a coder: `.form([...])`,
/// `.json(value)`, `.bytes(data)`, `.stream(...)`.
public struct Payload: Sendable {
    enum Content: Sendable {
        case none
        case body(RequestBody, MediaType?)
        case value(any Encodable & Sendable, MediaType?)
    }

    let content: Content

    /// Nothing.
    public static let none = Payload(content: .none)

    /// A value for the coder that its type, or the request's `Content-Type`, chooses.
    public static func value(_ value: some Encodable & Sendable) -> Payload { Payload(content: .value(value, nil)) }

    /// A value for the coder of a media type, which the request then names.
    public static func value(_ value: some Encodable & Sendable, as mediaType: MediaType) -> Payload {
        Payload(content: .value(value, mediaType))
    }

    /// A value as JSON.
    public static func json(_ value: some Encodable & Sendable) -> Payload { .value(value, as: .json) }

    /// A dynamic value as JSON.
    public static func json(_ value: JSON) -> Payload { .value(value, as: .json) }

    /// Names and values as a form, in order.
    public static func form(_ items: Query, style: QueryStyle = QueryStyle()) -> Payload {
        .body(.bytes(ByteChunk(items.encoded(style) ?? "")), type: .form)
    }

    /// Bytes.
    public static func bytes(_ bytes: some ByteStorage, type: MediaType? = .bytes) -> Payload {
        .body(.bytes(ByteChunk(bytes)), type: type)
    }

    /// A text in UTF-8.
    public static func text(_ text: String, type: MediaType = .text) -> Payload {
        .body(.bytes(ByteChunk(text)), type: type)
    }

    /// A body as the transport takes it: a file, a stream.
    public static func body(_ body: RequestBody, type: MediaType? = .bytes) -> Payload {
        Payload(content: .body(body, type))
    }

    /// Bytes of an async sequence, sent as they come; chunked unless the length is told.
    ///
    /// It is read once: a redirect that would keep it is delivered instead.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil,
        type: MediaType? = .bytes
    ) -> Payload where Chunks.Element: ByteStorage {
        .body(
            .stream(
                StreamBody(length: length) { _, writer in
                    for try await chunk in chunks { try await writer.write(ByteChunk(chunk)) }
                }
            ),
            type: type
        )
    }
}
