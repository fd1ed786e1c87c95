// SPDX-License-Identifier: Apache-2.0

/// Why a request can't be written as HTTP/1.1; nothing was sent, unless the body's length was wrong.
enum HTTP1RequestError: Error, Hashable, Sendable {
    /// The method is not a token, or is CONNECT, which only tunnels use.
    case malformedMethod
    /// The request target is empty or has white space, control characters, non-ASCII characters or a fragment.
    case malformedTarget
    /// The host is empty or has a character that is invalid in hosts.
    case malformedHost
    /// A field name that is not a token.
    case malformedFieldName
    /// A field value with a control character, or with white space at its start or end.
    case malformedFieldValue(name: String)
    /// A field that conflicts with the transport's own value.
    case conflictingField(name: String)
    /// A field that is not allowed in trailers.
    case forbiddenTrailer(name: String)
    /// Trailers on a request that is not sent in chunks.
    case trailersWithoutChunks
    /// Trailers that don't fit into one frame of HTTP/2.
    case trailersTooLong(limit: Int)
    /// An impossible length or offset.
    case malformedLength
    /// The body was longer than declared.
    case bodyTooLong(declared: Int64)
    /// The body was shorter than declared.
    case bodyTooShort(declared: Int64, missing: Int64)
}

extension HTTP1RequestError: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees; values are never quoted.
    var description: String {
        switch self {
        case .malformedMethod: "the method is CONNECT or not a token"
        case .malformedTarget: "the request target contains a character that must be encoded"
        case .malformedHost: "the host contains a character that is not allowed"
        case .malformedFieldName: "a header name is not a token"
        case .malformedFieldValue(let name):
            "the value of \(name) contains a control character, or begins or ends with white space"
        case .conflictingField(let name): "\(name) conflicts with the transport's own value"
        case .forbiddenTrailer(let name): "\(name) can't be a trailer"
        case .trailersWithoutChunks: "trailers require a chunked body"
        case .trailersTooLong(let limit): "the trailers are longer than \(limit) bytes"
        case .malformedLength: "the body's length or offset is out of range"
        case .bodyTooLong(let declared): "the body is longer than the \(declared) bytes declared"
        case .bodyTooShort(let declared, let missing):
            "the body ended \(missing) bytes short of the \(declared) declared"
        }
    }
}
