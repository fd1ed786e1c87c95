// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Bodies and their coders in the forms of other libraries, each with a message that names the remedy.
extension Payload {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `.bytes(data, type: .png)`")
    public static func data(_ data: Data, type: MediaType? = nil) -> Payload { .none }
}

extension MultipartForm {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `append(value, name: \"a\")`")
    public mutating func add(_ value: Any, name: String = "") {}

    /// Unavailable: bytes must be wrapped in a part.
    @available(*, unavailable, message: "make a part: `append(.bytes(data, fileName: \"cat.png\"), name: \"photo\")`")
    public mutating func append(_ data: Data, name: String, filename: String? = nil, type: MediaType? = nil) {}

    /// Unavailable: bytes must be wrapped in a part.
    @available(*, unavailable, message: "make a part: `append(.bytes(data, fileName: \"cat.png\"), name: \"photo\")`")
    public mutating func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
    }

    /// Unavailable: a file must be wrapped in a part.
    @available(*, unavailable, message: "make a part: `append(.file(path), name: \"photo\")`")
    public mutating func append(file: Any, name: String) {}
}

extension ResponseStream {
    /// Unavailable: a stream is a sequence of its chunks.
    @available(*, unavailable, message: "loop over the stream itself: `for try await chunk in stream`")
    public var bytes: ResponseStream { self }

    /// Unavailable: JSON lines have their own method.
    @available(*, unavailable, message: "decode lines of JSON with `jsonLines(as: Post.self)`")
    public func lines<Value>(as type: Value.Type) -> ResponseElements<String> { lines }

    /// Unavailable: JSON lines have their own method.
    @available(*, unavailable, message: "decode lines of JSON with `jsonLines(as: Post.self)`")
    public func lines<Value>(of type: Value.Type) -> ResponseElements<String> { lines }
}

extension JSONCoder {
    /// Unavailable: Foundation's coders have other settings.
    @available(*, unavailable, message: "set strategies: `var coder = JSONCoder(); coder.decoding.dates = .iso8601`")
    public init(_ coder: Any) { self.init() }

    /// Unavailable: dates have separate strategies for decoding and encoding.
    @available(*, unavailable, message: "set both directions: `decoding.dates`, `encoding.dates`")
    public var dates: Never? {
        get { nil }
        set {}
    }

    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `decoding.keys = .convertFromSnakeCase`")
    public var keyDecodingStrategy: JSON.DecodingStrategies.Keys {
        get { decoding.keys }
        set {}
    }

    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `encoding.keys = .convertToSnakeCase`")
    public var keyEncodingStrategy: JSON.EncodingStrategies.Keys {
        get { encoding.keys }
        set {}
    }

    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `decoding.dates = .iso8601`")
    public var dateDecodingStrategy: JSON.DecodingStrategies.Dates {
        get { decoding.dates }
        set {}
    }

    /// Unavailable: a name that Foundation uses.
    @available(*, unavailable, message: "write `encoding.dates = .iso8601`")
    public var dateEncodingStrategy: JSON.EncodingStrategies.Dates {
        get { encoding.dates }
        set {}
    }
}

extension HTTPField.Name {
    /// Unavailable: the field has a different name in HTTPTypes.
    @available(*, unavailable, message: "write `.eTag`, or read `response.etag`")
    public static var etag: HTTPField.Name { .eTag }
}
