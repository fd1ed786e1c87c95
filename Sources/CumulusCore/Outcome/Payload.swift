// SPDX-License-Identifier: Apache-2.0

/// The content of a request, before it is encoded.
///
/// Verbs take your `Encodable` values directly. Use a payload for everything else, and to choose a coder:
/// `.form([...])`, `.json(value)`, `.bytes(data)`, `.stream(...)`.
public struct Payload: Sendable {
    // Indirect: one reference, since each stage of a request copies it.
    indirect enum Content: Sendable {
        case none
        /// A body; `named` takes precedence over the settings' `Content-Type`, `fallback` applies if no type is set.
        case body(RequestBody, named: MediaType?, fallback: MediaType?)
        /// A whole file, whose size is read when the request is encoded; its type is chosen as for a body.
        case file(path: String, named: MediaType?, fallback: MediaType)
        /// A text, written in the charset of its type.
        case text(String, named: MediaType?)
        /// A value. A named type takes precedence over the settings' `Content-Type` and selects the coder, unless a
        /// coder is passed.
        case value(any Encodable & Sendable, named: MediaType?, using: (any BodyCoder)? = nil)
        /// A body made with the resource's settings; its type is chosen as for a body.
        case made(@Sendable (PayloadSettings) throws -> RequestBody, named: MediaType)
        /// A body made with the resource's coders and the type that the request itself sets, if any. The closure may
        /// change the type.
        case typed(@Sendable (CoderRegistry, MediaType?) throws -> (body: RequestBody, type: MediaType))
        /// Another payload, made with the resource's coders.
        case deferred(@Sendable (CoderRegistry) throws -> Payload)
        /// Another payload with a content coding, unless the coding doesn't make it smaller.
        case coded(Content, ContentCoding, keepsSmaller: Bool)
        /// Another payload with a trailer field after it.
        case trailed(Content, Headers.Name, @Sendable () async throws -> String?)
    }

    let content: Content

    /// No body.
    public static let none = Payload(content: .none)

    /// Creates a payload with a value, encoded by the coder for its type or for the request's `Content-Type`.
    public static func value(_ value: some Encodable & Sendable) -> Payload {
        Payload(content: .value(value, named: nil))
    }

    /// Creates a payload with a value, encoded by the coder of a media type, which becomes the request's
    /// `Content-Type`.
    public static func value(_ value: some Encodable & Sendable, as mediaType: MediaType) -> Payload {
        Payload(content: .value(value, named: mediaType))
    }

    /// Creates a payload with a value and a coder of your choice, regardless of the settings.
    ///
    /// The request has the coder's media type, or the one that you pass.
    public static func value(
        _ value: some Encodable & Sendable,
        using coder: some BodyCoder,
        as mediaType: MediaType? = nil
    ) -> Payload {
        Payload(content: .value(value, named: mediaType ?? coder.mediaType, using: coder))
    }

    /// Creates a payload with a value as JSON.
    public static func json(_ value: some Encodable & Sendable) -> Payload { .value(value, as: .json) }

    /// Creates a payload with a dynamic value as JSON.
    public static func json(_ value: JSON) -> Payload { .value(value, as: .json) }

    /// Creates a payload whose content is computed with the resource's coders each time a call is encoded.
    ///
    /// - Parameter make: A closure that creates the payload; its errors fail the call with
    ///   ``CumulusError/Code/encoding``.
    /// - Returns: The payload.
    public static func making(_ make: @escaping @Sendable (CoderRegistry) throws -> Payload) -> Payload {
        Payload(content: .deferred(make))
    }

    /// Creates a payload with names and values as a form, in order.
    ///
    /// - Parameters:
    ///   - items: The names and values.
    ///   - style: The style of arrays, nested values and booleans; `nil` uses the style of the registered
    ///     ``FormCoder``, or the setting ``Resource/Settings/queryStyle``.
    /// - Returns: The payload.
    public static func form(_ items: Query, style: QueryStyle? = nil) -> Payload {
        Payload(
            content: .made(
                { settings in .bytes(ByteChunk(items.encoded(style ?? settings.formStyle) ?? "")) },
                named: .form
            )
        )
    }

    /// Creates a payload with bytes, sent as `application/octet-stream` unless you pass a type or a setting specifies
    /// one.
    public static func bytes(_ bytes: some ByteStorage, type: MediaType? = nil) -> Payload {
        .body(.bytes(ByteChunk(bytes)), type: type)
    }

    /// Creates a payload with text, which is sent unchanged even if its type is JSON.
    ///
    /// It is sent as `text/plain` unless you pass a type or a setting specifies one.
    ///
    /// It is written in the type's charset, by default in UTF-8.
    public static func text(_ text: String, type: MediaType? = nil) -> Payload {
        Payload(content: .text(text, named: type))
    }

    /// Creates a payload with a body in the transport's form, such as a file; its media type is chosen as in
    /// ``bytes(_:type:)``.
    public static func body(_ body: RequestBody, type: MediaType? = nil) -> Payload {
        Payload(content: .body(body, named: type, fallback: .bytes))
    }

    /// Creates a payload whose body has no media type; only the request's header fields can set one.
    public static func raw(_ body: RequestBody) -> Payload { Payload(content: .body(body, named: nil, fallback: nil)) }

    /// Creates a payload with the bytes of an async sequence, which are sent as they arrive.
    ///
    /// The body is chunked unless you pass a length.
    ///
    /// The sequence is read once. A redirect that would need it again is returned like any other response.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil,
        type: MediaType? = nil
    ) -> Payload where Chunks.Element: ByteStorage {
        .body(.stream(chunks, length: length), type: type)
    }
}

/// The settings with which payloads are encoded.
struct PayloadSettings: Sendable {
    let coders: CoderRegistry
    let queryStyle: QueryStyle

    /// The style of forms.
    var formStyle: QueryStyle { coders.form?.style ?? queryStyle }
}

extension Payload: Redacted {
    /// The kind of payload, without its content.
    public var description: String {
        switch content {
        case .none: "nothing"
        case .body(let body, let named, let fallback):
            "a body of \(body.length.map { "\($0) bytes" } ?? "unknown length")" + name(named ?? fallback)
        case .file(let path, let named, let fallback): "the file \(path)" + name(named ?? fallback)
        case .text(let text, let named): "text of \(text.utf8.count) bytes" + name(named)
        case .value(let value, let named, _): "a \(type(of: value))" + name(named)
        case .made(_, let named): "a body" + name(named)
        case .typed, .deferred: "a body that is made when it is sent"
        case .coded(let content, let coding, _): "\(Payload(content: content)), compressed by \(coding.name)"
        case .trailed(let content, let name, _): "\(Payload(content: content)), with the trailer \(name.text)"
        }
    }

    private func name(_ type: MediaType?) -> String { type.map { " as \($0.essence)" } ?? "" }

    /// Whether encoding it takes an unknown amount of work.
    var isValue: Bool {
        switch content {
        case .value, .typed, .deferred, .coded: true
        case .none, .body, .made, .file, .text: false
        case .trailed(let content, _, _): Payload(content: content).isValue
        }
    }
}
