// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Field names that the codec treats specially.
enum HTTP1FieldNames {
    /// Names that affect framing, routing, authorization or the processing of content: not allowed in trailers.
    static let forbiddenInTrailers: [StaticString] = [
        "transfer-encoding", "content-length", "host", "connection", "keep-alive", "te", "trailer", "upgrade",
        "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info",
        "www-authenticate", "proxy-authenticate", "proxy-connection", "cookie", "set-cookie",
        "content-encoding", "content-type", "content-range", "location", "retry-after", "cache-control",
        "expires", "age", "vary", "date", "expect", "max-forwards", "pragma", "range",
    ]

    /// Names that determine where a response ends: they are never dropped.
    static let framing: [StaticString] = ["content-length", "transfer-encoding", "connection", "trailer"]

    /// The name in these bytes; frequent ones are shared, so that they cost no allocation.
    static func name(for bytes: Slice<UnsafeRawBufferPointer>) -> HTTPField.Name? {
        for candidate in frequent where candidate.rawName.utf8.count == bytes.count {
            if candidate.rawName.utf8.elementsEqual(bytes) { return candidate }
        }
        return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
    }

    /// The names that most servers send, in their usual spelling.
    private static let frequent: [HTTPField.Name] = [
        .server, .date, .contentType, .contentLength, .connection, .eTag, .lastModified, .cacheControl,
        .acceptRanges, .vary, .setCookie, .location, .transferEncoding, .contentEncoding, .keepAliveField,
    ].compactMap(\.self)
}

extension HTTPField.Name {
    /// `Keep-Alive`, which HTTPTypes does not define.
    fileprivate static var keepAliveField: HTTPField.Name? { HTTPField.Name("Keep-Alive") }
}
