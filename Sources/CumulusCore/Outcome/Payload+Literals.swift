// SPDX-License-Identifier: Apache-2.0

extension Payload: ExpressibleByDictionaryLiteral {
    /// Creates an object whose members are in the order of the literal: `posts.post(["title": title, "n": 1, "at":
    /// nil])`.
    ///
    /// It is encoded like any other value: by the coder for the settings' `Content-Type`, otherwise as JSON. `nil` is
    /// written as `null`. If members have the same key, the last one is used. A nested object with values of several
    /// types needs the type `JSON`: `["user": ["name": "me", "n": 1] as JSON]`.
    public init(dictionaryLiteral members: (String, (any Encodable & Sendable)?)...) {
        self = .value(MixedObject(members: members))
    }
}

extension Payload: ExpressibleByArrayLiteral {
    /// Creates an array of values of several types, encoded like any other value.
    public init(arrayLiteral elements: (any Encodable & Sendable)?...) { self = .value(MixedArray(elements: elements)) }
}

extension Payload {
    /// Creates a payload with members of several types as a JSON object, in the order written; `nil` is `null`.
    ///
    ///     try await posts.post(.json(["title": title, "author": author, "n": 1])).requireSuccess()
    public static func json(_ members: KeyValuePairs<String, (any Encodable & Sendable)?>) -> Payload {
        .value(MixedObject(members), as: .json)
    }
}

/// An object with ordered members of different types, for members that can't be written as a literal.
///
/// If members have the same key, the last one is used; `nil` is written as `null`.
public struct MixedObject: Encodable, Sendable {
    let members: [(key: String, value: (any Encodable & Sendable)?)]

    /// Creates an object from members in order.
    public init(members: [(key: String, value: (any Encodable & Sendable)?)]) { self.members = members }

    /// Creates an object from a literal's members.
    public init(_ members: KeyValuePairs<String, (any Encodable & Sendable)?>) {
        self.init(members: members.map { ($0.key, $0.value) })
    }

    /// Encodes the members one after the other.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONCodingKey.self)
        for (key, value) in members {
            let key = JSONCodingKey(stringValue: key)
            if let value { try container.encode(value, forKey: key) } else { try container.encodeNil(forKey: key) }
        }
    }
}

/// An array whose elements have different types.
struct MixedArray: Encodable, Sendable {
    let elements: [(any Encodable & Sendable)?]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            if let element { try container.encode(element) } else { try container.encodeNil() }
        }
    }
}

extension Payload {
    /// Returns a copy of the payload with a content coding and its `Content-Encoding` field:
    /// `.json(report).compressed()`.
    ///
    /// A body in memory is compressed before it is sent, and sent uncompressed if compression doesn't make it smaller.
    /// Files and streams are always compressed while they are sent, without a `Content-Length`. They can be sent again
    /// if that would be possible without compression. Authorizers that digest or sign bodies receive the compressed
    /// body. You can't know in advance which codings a server accepts; a server that doesn't accept the coding responds
    /// with 415 (RFC 9110 section 8.4).
    ///
    /// If the coding's library is missing, or the coding only supports decoding, the call fails with
    /// ``CumulusError/Code/encoding``.
    ///
    /// - Parameters:
    ///   - coding: The coding: gzip, deflate, or zstd from the module `CumulusCodings`.
    ///   - keepingSmaller: Whether a body in memory that doesn't get smaller is sent uncompressed.
    /// - Returns: The payload.
    public func compressed(by coding: ContentCoding = .gzip, keepingSmaller: Bool = true) -> Payload {
        if case .none = content { return self }
        return Payload(content: .coded(content, coding, keepsSmaller: keepingSmaller))
    }
}
