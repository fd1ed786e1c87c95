// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHPACK

/// Creates the field section that ends a request (RFC 9113 section 8.1).
enum HTTP2RequestTrailers {
    /// Checks trailers by the rules of HTTP/1.1, and that they fit into one frame: NIOHTTP2 writes no CONTINUATION.
    static func check(_ trailers: HTTPFields) throws(HTTP1RequestError) {
        var lines = ByteBuffer()
        try HTTP1RequestHeadRenderer.renderTrailers(trailers, into: &lines)
        if HTTP2LargeHead(section(of: trailers)) != nil { throw .trailersTooLong(limit: HTTP2LargeHead.frameSize) }
    }

    /// The section of trailers that were checked.
    ///
    /// It adds nothing to the compression table, where values that are rarely repeated would only evict others.
    static func section(of trailers: HTTPFields) -> HPACKHeaders {
        var section = HPACKHeaders()
        section.reserveCapacity(trailers.count)
        for field in trailers {
            section.add(name: field.name.canonicalName, value: field.value, indexing: .nonIndexable)
        }
        return section
    }
}
