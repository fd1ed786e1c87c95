// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Why a response is unusable as HTTP/2, beyond NIOHTTP2's own checks; its stream must be reset.
enum HTTP2ProtocolError: Error, Hashable, Sendable {
    /// `:status` is missing or not a status.
    case malformedStatus
    /// A 101, which HTTP/2 doesn't have (RFC 9113 section 8.6).
    case upgrade
    /// An informational response that ends the stream.
    case endedByInformational
    /// More 1xx responses than allowed.
    case tooManyInformationalResponses(limit: Int)
    /// 1xx responses with more bytes than allowed.
    case informationalResponsesTooLarge(limit: Int)
    /// A field section with more fields than allowed.
    case tooManyFields(limit: Int)
    /// Trailer fields that don't end the stream.
    case unendedTrailers
    /// Content where none is allowed, or before a head.
    case unexpectedContent
    /// A field value with a control character, or with white space at its start or end.
    case malformedField(String)
    /// A window update of zero.
    case emptyWindowUpdate
    /// A window beyond 2^31-1.
    case windowTooLarge
    /// A server's setting that enables push.
    case badSetting
    /// A pushed response.
    case push
    /// More useless frames than allowed.
    case flood(HTTP2Flood)
    /// Content that is longer or shorter than its Content-Length.
    case wrongLength
}

extension HTTP2ProtocolError: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees.
    var description: String {
        switch self {
        case .malformedStatus: "the response has no valid status"
        case .upgrade: "the server switched protocols, which HTTP/2 doesn't allow"
        case .endedByInformational: "an informational response ended the stream"
        case .tooManyInformationalResponses(let limit): "more than \(limit) informational responses arrived"
        case .informationalResponsesTooLarge(let limit): "the informational responses exceed \(limit) bytes"
        case .tooManyFields(let limit): "the header section exceeds \(limit) fields"
        case .unendedTrailers: "trailers did not end the stream"
        case .unexpectedContent: "content arrived where none is allowed"
        case .malformedField(let name):
            "the value of \(PeerText.printable(name, limit: 64)) contains a control character, or begins or ends with white space"
        case .emptyWindowUpdate: "a window update of zero arrived"
        case .windowTooLarge: "a window is larger than 2^31-1"
        case .badSetting: "a setting is out of range"
        case .push: "a response was pushed"
        case .flood(let flood): flood.description
        case .wrongLength: "the content doesn't match Content-Length"
        }
    }
}
