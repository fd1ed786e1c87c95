// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which coder serves which type and which media type; a value, inherited as a setting.
///
/// To encode, the value's type is asked first, then the `Content-Type` that the request names, then JSON serves. To
/// decode, the wanted type is asked first, then the response's `Content-Type`, then the request's `Accept`, then
/// JSON serves. The last registration for a type or media type wins.
public struct CoderRegistry: Sendable {
    private var byType: [ObjectIdentifier: any BodyCoder] = [:]
    private var byMediaType: [String: any BodyCoder] = [:]
    private var fallback: any BodyCoder = JSONCoder()

    /// The coders that Cumulus brings: JSON, text, bytes, forms.
    public init() {
        register(DataCoder(), for: Data.self, [UInt8].self)
        register(TextCoder(), for: String.self)
        register(JSONCoder(), for: JSON.self)
        register(JSONCoder(), forMediaTypes: "application/json", "+json", "text/json")
        register(FormCoder(), forMediaTypes: "application/x-www-form-urlencoded")
    }

    /// Has a coder serve Swift types, whatever the media type.
    public mutating func register(_ coder: some BodyCoder, for types: any Any.Type...) {
        for type in types { byType[ObjectIdentifier(type)] = coder }
    }

    /// Has a coder serve media types: whole ones (`text/csv`) or suffixes (`+json`).
    public mutating func register(_ coder: some BodyCoder, forMediaTypes names: String...) {
        for name in names { byMediaType[name.lowercased()] = coder }
    }

    /// Has a coder serve JSON wherever no other was registered: for strategies of your own.
    public mutating func registerJSON(_ coder: JSONCoder) {
        register(coder, for: JSON.self)
        register(coder, forMediaTypes: "application/json", "+json", "text/json")
        fallback = coder
    }

    /// The bytes of a value and what they are called.
    func encode(
        _ value: any Encodable & Sendable,
        as mediaType: MediaType?,
        isNamed: Bool
    ) throws -> (bytes: ByteChunk, type: MediaType) {
        // A payload that names its type asks for that type's coder, even for text and bytes.
        if isNamed, let mediaType, let coder = coder(for: mediaType) {
            return (try coder.encode(value, as: mediaType), mediaType)
        }
        if let coder = byType[ObjectIdentifier(type(of: value))] {
            return (try coder.encode(value, as: mediaType), mediaType ?? coder.mediaType)
        }
        guard let mediaType else { return (try fallback.encode(value, as: nil), fallback.mediaType) }
        guard let coder = coder(for: mediaType) else {
            throw CodingProblem("no coder is registered for \(mediaType.essence), nor for \(type(of: value))")
        }
        return (try coder.encode(value, as: mediaType), mediaType)
    }

    /// The value of a body.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?,
        accepting accepted: MediaType?
    ) throws -> Value {
        let coder =
            byType[ObjectIdentifier(type)] ?? mediaType.flatMap(coder(for:)) ?? accepted.flatMap(coder(for:))
            ?? fallback
        do {
            return try coder.decode(type, from: bytes, of: mediaType)
        } catch {
            throw DecodingProblem(error, type: type, bytes: bytes, mediaType: mediaType)
        }
    }

    /// What to ask the server for when a type is wanted.
    func accept(for type: any Any.Type) -> String {
        (byType[ObjectIdentifier(type)] ?? fallback).mediaType.essence == MediaType.json.essence
            ? "application/json" : "*/*"
    }

    private func coder(for mediaType: MediaType) -> (any BodyCoder)? {
        if let coder = byMediaType[mediaType.essence] { return coder }
        guard let plus = mediaType.subtype.lastIndex(of: "+") else { return nil }
        return byMediaType[String(mediaType.subtype[plus...])]
    }
}

/// A body that could not be decoded: why, how long it was and what it was called, but nothing of what it held.
public struct DecodingProblem: Error, Sendable, CustomStringConvertible {
    /// Why, with the coding path where there is one, and what it was called.
    public let description: String
    /// The coder's own error.
    public let cause: any Error

    init(_ cause: any Error, type: any Any.Type, bytes: ByteChunk, mediaType: MediaType?) {
        self.cause = cause
        let name = mediaType?.essence ?? "unnamed content"
        description = "\(bytes.count) bytes of \(name) are no \(type): \(DecodingProblem.explain(cause))"
    }

    private static func explain(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        func path(_ context: DecodingError.Context) -> String {
            let keys = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            return keys.isEmpty ? "the top" : String(keys.joined().drop { $0 == "." })
        }
        switch error {
        case .keyNotFound(let key, let context): return "at \(path(context)): the key \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "at \(path(context)): \(context.debugDescription)"
        @unknown default: return "\(error)"
        }
    }
}

extension SettingKeys {
    /// Which coder serves which type and media type.
    ///
    /// Default: JSON, text, bytes and forms. The nearest layer wins.
    public var coders: CodersKey.Type { CodersKey.self }
}

/// The key of ``SettingKeys/coders``.
public enum CodersKey: SettingKey {
    /// JSON, text, bytes and forms.
    public static let defaultValue = CoderRegistry()
}
