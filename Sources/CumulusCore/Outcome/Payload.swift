// SPDX-License-Identifier: Apache-2.0

/// A request's content, before it is encoded.
///
/// Verbs take your `Encodable` values directly; this is for everything else, and for naming a coder: `.form([...])`,
/// `.json(value)`, `.bytes(data)`, `.stream(...)`.
public struct Payload: Sendable {
    enum Content: Sendable {
        case none
        /// A body; `named` wins over the settings' `Content-Type`, `fallback` serves if nothing names one.
        case body(RequestBody, named: MediaType?, fallback: MediaType?)
        /// A whole file, looked at when the request is encoded; named as a body is.
        case file(path: String, named: MediaType?, fallback: MediaType)
        /// A text, written in the charset that its type names.
        case text(String, named: MediaType?)
        /// A value; a named type wins over the settings' `Content-Type` and chooses the coder, unless that is given.
        case value(any Encodable & Sendable, named: MediaType?, using: (any BodyCoder)? = nil)
        /// A body that is made with the resource's coders, and of the type that the request itself names, if any.
        case made(@Sendable (CoderRegistry, MediaType?) throws -> (body: RequestBody, type: MediaType))
        /// Another one under a content coding, unless that doesn't make it smaller.
        indirect case coded(Content, ContentCoding, keepsSmaller: Bool)
    }

    let content: Content

    /// Nothing.
    public static let none = Payload(content: .none)

    /// A value for the coder that its type, or the request's `Content-Type`, chooses.
    public static func value(_ value: some Encodable & Sendable) -> Payload {
        Payload(content: .value(value, named: nil))
    }

    /// A value for the coder of a media type, which the request then names.
    public static func value(_ value: some Encodable & Sendable, as mediaType: MediaType) -> Payload {
        Payload(content: .value(value, named: mediaType))
    }

    /// A value for a coder of your choice, whatever the settings say; the request names the coder's media type, or yours.
    public static func value(
        _ value: some Encodable & Sendable,
        using coder: some BodyCoder,
        as mediaType: MediaType? = nil
    ) -> Payload {
        Payload(content: .value(value, named: mediaType ?? coder.mediaType, using: coder))
    }

    /// A value as JSON.
    public static func json(_ value: some Encodable & Sendable) -> Payload { .value(value, as: .json) }

    /// A dynamic value as JSON.
    public static func json(_ value: JSON) -> Payload { .value(value, as: .json) }

    /// Names and values as a form, in order.
    public static func form(_ items: Query, style: QueryStyle = QueryStyle()) -> Payload {
        .body(.bytes(ByteChunk(items.encoded(style) ?? "")), type: .form)
    }

    /// Bytes; `application/octet-stream` if neither the type nor a setting says otherwise.
    public static func bytes(_ bytes: some ByteStorage, type: MediaType? = nil) -> Payload {
        .body(.bytes(ByteChunk(bytes)), type: type)
    }

    /// A text as it is, even if it is called JSON; `text/plain` if neither the type nor a setting says otherwise.
    ///
    /// It is written in the type's charset, in UTF-8 if there is none.
    public static func text(_ text: String, type: MediaType? = nil) -> Payload {
        Payload(content: .text(text, named: type))
    }

    /// A body as the transport takes it, a file for example; `application/octet-stream` as for bytes.
    public static func body(_ body: RequestBody, type: MediaType? = nil) -> Payload {
        Payload(content: .body(body, named: type, fallback: .bytes))
    }

    /// A body of which nothing is said but what the request's own header says.
    static func raw(_ body: RequestBody) -> Payload { Payload(content: .body(body, named: nil, fallback: nil)) }

    /// Bytes of an async sequence, sent as they arrive; chunked unless the length is told.
    ///
    /// It is read once: a redirect that would keep it is delivered like any other response.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil,
        type: MediaType? = nil
    ) -> Payload where Chunks.Element: ByteStorage {
        .body(.stream(chunks, length: length), type: type)
    }
}

extension Payload: CustomStringConvertible, CustomReflectable {
    /// The kind of payload, without its content.
    public var description: String {
        switch content {
        case .none: "nothing"
        case .body(let body, let named, let fallback):
            "a body of \(body.length.map { "\($0) bytes" } ?? "unknown length")" + name(named ?? fallback)
        case .file(let path, let named, let fallback): "the file \(path)" + name(named ?? fallback)
        case .text(let text, let named): "a text of \(text.utf8.count) bytes" + name(named)
        case .value(let value, let named, _): "a \(type(of: value))" + name(named)
        case .made: "a body that is made when it is sent"
        case .coded(let content, let coding, _): "\(Payload(content: content)), compressed by \(coding.name)"
        }
    }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["payload": description]) }

    private func name(_ type: MediaType?) -> String { type.map { " as \($0.essence)" } ?? "" }

    /// Whether it takes work to encode, of which nobody knows how much.
    var isValue: Bool {
        switch content {
        case .value, .made, .coded: true
        case .none, .body, .file, .text: false
        }
    }
}
