// SPDX-License-Identifier: Apache-2.0

extension Payload {
    /// The same payload under a content coding, which `Content-Encoding` names: `.json(report).compressed()`.
    ///
    /// A body in memory is compressed before it is sent, and sent uncompressed if that makes it no smaller. Files and
    /// streams are compressed while they are sent, always, and without a `Content-Length`; they can be sent again if
    /// they could before. Authorizers that digest or sign bodies see the compressed one. There is no way to know in
    /// advance which codings a server accepts; one that accepts none responds with 415 (RFC 9110 section 8.4).
    ///
    /// A coding whose library is missing, or that can only be undone, fails with ``CumulusError/Code/encoding``.
    ///
    /// - Parameters:
    ///   - coding: The coding: gzip, deflate, or zstd of the module `CumulusCodings`.
    ///   - keepingSmaller: Whether a body in memory that doesn't get smaller is sent as it is.
    /// - Returns: The payload.
    public func compressed(by coding: ContentCoding = .gzip, keepingSmaller: Bool = true) -> Payload {
        if case .none = content { return self }
        return Payload(content: .coded(content, coding, keepsSmaller: keepingSmaller))
    }
}
