// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// A status line with its fields, checked but not yet converted to strings.
struct HTTP1ResponseHead: Sendable {
    /// 100 to 999.
    var status: Int
    /// The digit after `HTTP/1.`.
    var minorVersion: Int
    /// The position of the reason phrase in the bytes of `fields`.
    var reasonRange: Range<Int>
    /// Whether the status line is that of `200 OK`.
    var isOK = false
    /// The field lines.
    var fields: HTTP1FieldSection
    /// Whether there is a `Content-Encoding`.
    var isCoded = false
    /// Names of fields that were dropped because of white space before their colons; `nil` if there are none.
    var droppedFields: [String]?

    /// The text after the status code, possibly empty.
    var reason: String {
        fields.bytes.withUnsafeReadableBytes { String(decoding: $0[reasonRange], as: UTF8.self) }
    }

    /// The head, as callers get it.
    var httpResponse: HTTPResponse {
        HTTPResponse(status: httpStatus, headerFields: fields.httpFields)
    }

    /// The status with its reason phrase; standard phrases are shared, so that they cost no allocation.
    var httpStatus: HTTPResponse.Status {
        if isOK { return .ok }
        return HTTPResponse.Status(code: status, reasonPhrase: reason)
    }
}

/// The next element that the parser found in the bytes of a response.
// Not copyable, so that its parts are moved to where they are used.
enum HTTP1ResponseEvent: ~Copyable, Sendable {
    /// A 1xx response; the final one follows.
    case informational(HTTP1ResponseHead)
    /// The final response's head, with the length of its body if that is known.
    case head(HTTP1ResponseHead, length: Int64?)
    /// Bytes of the body, a slice of the received ones.
    case content(ByteBuffer)
    /// The response is complete; with trailers if there were any allowed ones.
    case end(trailers: HTTP1FieldSection?)
}
