// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What header fields say, as values.
extension Response {
    /// The `ETag` as it was sent, with its quotes and perhaps `W/` (RFC 9110 section 8.8.3).
    public var etag: String? { headers[.eTag] }

    /// When the representation was changed last; `nil` if that is not told, or is not a date.
    public var lastModified: Date? { headers[.lastModified].flatMap { HTTPDate(parsing: $0)?.date } }

    /// When the server made the response.
    public var date: Date? { headers[.date].flatMap { HTTPDate(parsing: $0)?.date } }

    /// Which part of the representation this is, for 206 and 416.
    public var contentRange: ContentRange? { headers[.contentRange].flatMap { ContentRange(parsing: $0) } }

    /// The links of all `Link` fields, in order (RFC 8288): `posts.follow(response.links["next"])`.
    ///
    /// Their targets are resolved against the URL of ``request``.
    public var links: [WebLink] {
        headers[values: .link].flatMap { field in
            var parser = WebLinkParser(field, base: request.url)
            return parser.links()
        }
    }

    /// How many bytes the head announced: `Content-Length`, else the length of `Content-Range`; `nil` if neither is
    /// told, or where the body was decoded.
    ///
    /// For a HEAD request, and for 304, what a GET would bring.
    public var expectedContentLength: Int64? {
        // The same length may come twice (RFC 9110 section 8.6); others than that a transport has refused.
        let lengths = headers[values: .contentLength].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        let numbers = Set(lengths.map { Substring($0.drop { $0 == 0x20 || $0 == 0x09 }) })
        if numbers.count == 1, let length = numbers.first.flatMap(ContentRange.number) { return length }
        return contentRange?.length
    }

    /// How long the whole representation is: the total of `Content-Range`, else what is expected.
    ///
    /// `nil` if the server told neither, or sent a part and not the total.
    public var totalContentLength: Int64? {
        if let contentRange { return contentRange.total }
        return status == .partialContent ? nil : expectedContentLength
    }

    /// Whether ``bytes`` hold all that the head announced; true if it announced nothing.
    ///
    /// Only what was cut off after 64 KiB is incomplete: a body that breaks off is an error. What a HEAD request or a
    /// 304 announces does not count, since they have no body, nor does the length of a content coding.
    public var isComplete: Bool {
        guard isBodyComplete else { return false }
        guard request.method != .head, status != .notModified, headers[.contentEncoding] == nil,
            let expected = expectedContentLength
        else { return true }
        return Int64(bytes.count) == expected
    }
}

extension HTTPField.Name {
    /// `Link`, RFC 8288 section 3.
    fileprivate static let link = HTTPField.Name("Link") ?? .location
}
