// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Header fields as typed values.
extension Response {
    /// The `ETag` as received, with its quotes and possibly `W/` (RFC 9110 section 8.8.3).
    public var etag: String? { headers[.eTag] }

    /// The date of the representation's last change; `nil` if the field is missing or not a date.
    public var lastModified: Date? { headers[.lastModified].flatMap { HTTPDate(parsing: $0)?.date } }

    /// The date when the server created the response.
    public var date: Date? { headers[.date].flatMap { HTTPDate(parsing: $0)?.date } }

    /// The range of the representation that the response contains, for 206 and 416.
    public var contentRange: ContentRange? { headers[.contentRange].flatMap { ContentRange(parsing: $0) } }

    /// The links of all `Link` fields, in order (RFC 8288): `posts.follow(response.links["next"])`.
    ///
    /// Their targets are resolved against the URL of ``request``.
    public var links: [WebLink] {
        headers.texts(Response.linkField).flatMap { field in
            var parser = WebLinkParser(field, base: request.url)
            return parser.links()
        }
    }

    /// The number of bytes that the head announced: `Content-Length`, otherwise the length of `Content-Range`.
    ///
    /// `nil` if the head has neither, or if the body was decoded. For a HEAD request and for 304, it is the length that
    /// a GET would return.
    public var expectedContentLength: Int64? {
        // The same length may occur twice (RFC 9110 section 8.6). A transport has already refused different ones.
        let lengths = headers[values: .contentLength].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        let numbers = Set(lengths.map { Substring($0.drop { $0 == 0x20 || $0 == 0x09 }) })
        if numbers.count == 1, let length = numbers.first.flatMap(ContentRange.number) { return length }
        return contentRange?.length
    }

    /// The length of the whole representation: the total of `Content-Range`, otherwise the expected length.
    ///
    /// `nil` if the server sent neither, or sent a part without the total.
    public var totalContentLength: Int64? {
        if let contentRange { return contentRange.total }
        return status == .partialContent ? nil : expectedContentLength
    }

    /// Whether ``bytes`` contains the whole body; true if the head announced no length.
    ///
    /// Only a body that was cut off after 64 KiB is incomplete; an interrupted body is an error. Lengths announced for
    /// a HEAD request or a 304 are ignored, since these have no body. The length of a coded body is also ignored.
    public var isComplete: Bool {
        guard isBodyComplete else { return false }
        guard request.method != .head, status != .notModified, headers[.contentEncoding] == nil,
            let expected = expectedContentLength
        else { return true }
        return Int64(bytes.count) == expected
    }
}

extension Response {
    // Not a member of the names' type, where completion would show it to programs that can't use it.
    private static let linkField = HTTPField.Name("Link") ?? .location

    /// The facts that determine the body's format, in addition to its bytes.
    public var label: BodyLabel {
        BodyLabel(mediaType: mediaType, target: request.target, accept: request.headers[.accept])
    }
}
