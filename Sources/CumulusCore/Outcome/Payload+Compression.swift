// SPDX-License-Identifier: Apache-2.0

extension Payload {
    /// The same payload with a content coding and its `Content-Encoding` field: `.json(report).compressed()`.
    ///
    /// A body in memory is compressed before it is sent, and sent uncompressed if compression doesn't make it smaller.
    /// Files and streams are always compressed, while they are sent, and have no `Content-Length`; they can be sent
    /// again if they could before. Authorizers that digest or sign bodies get the compressed one. There is no way to
    /// know in advance which codings a server accepts; one that accepts none responds with 415 (RFC 9110 section 8.4).
    ///
    /// A coding whose library is missing, or that only supports decoding, fails with ``CumulusError/Code/encoding``.
    ///
    /// - Parameters:
    ///   - coding: The coding: gzip, deflate, or zstd of the module `CumulusCodings`.
    ///   - keepingSmaller: Whether a body in memory that doesn't get smaller is sent uncompressed.
    /// - Returns: The payload.
    public func compressed(by coding: ContentCoding = .gzip, keepingSmaller: Bool = true) -> Payload {
        if case .none = content { return self }
        return Payload(content: .coded(content, coding, keepsSmaller: keepingSmaller))
    }
}
