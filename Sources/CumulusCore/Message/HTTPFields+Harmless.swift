// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// The fields that may be sent to another origin.
    var harmless: HTTPFields { HTTPFields(filter { Headers.harmlessNames.contains(Headers.Name($0.name)) }) }
}

extension Headers {
    /// The names of header fields that may be sent to another origin.
    static let harmlessNames: Set<Headers.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .userAgent, .cacheControl, .contentType, .contentLanguage,
        .contentEncoding, .range, .ifNoneMatch, .ifModifiedSince, .ifMatch, "If-Unmodified-Since", "If-Range", .prefer,
    ]
}
