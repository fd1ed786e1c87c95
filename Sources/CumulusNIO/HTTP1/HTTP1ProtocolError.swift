// SPDX-License-Identifier: Apache-2.0

/// Why a response is unusable as HTTP/1.1; its connection must be closed.
enum HTTP1ProtocolError: Error, Hashable, Sendable {
    /// The first bytes are not `HTTP/1.`.
    case notHTTP
    /// The first bytes are a TLS alert.
    case tlsRecord
    /// The status line breaks RFC 9112 section 4.
    case malformedStatusLine
    /// A line ended in a bare line feed.
    case bareLineFeed
    /// There was a carriage return inside a line.
    case bareCarriageReturn
    /// NUL or another control character in a field's value; without a name, in a field's name or the status line.
    case controlCharacter(in: String?)
    /// A field line without a name, with white space before its colon, or without a colon.
    case malformedFieldName
    /// A line with obsolete folding.
    case foldedLine
    /// The header or trailer section has more bytes than allowed.
    case headTooLarge(limit: Int)
    /// The header or trailer section has more lines than allowed.
    case tooManyLines(limit: Int)
    /// More 1xx responses than allowed.
    case tooManyInformationalResponses(limit: Int)
    /// 1xx responses with more bytes than allowed.
    case informationalResponsesTooLarge(limit: Int)
    /// A Content-Length that isn't a plain decimal number.
    case malformedContentLength
    /// Several Content-Length values that differ.
    case conflictingContentLengths
    /// Transfer-Encoding with several Content-Length values, or with any in HTTP/1.0.
    case contentLengthWithTransferEncoding
    /// A Transfer-Encoding other than `chunked`.
    case unknownTransferCoding
    /// A 101 response to a request that offered no upgrade.
    case unexpectedUpgrade
    /// A chunk-size line breaks RFC 9112 section 7.1.
    case malformedChunkSize
    /// Chunk extensions exceed their limit.
    case chunkExtensionsTooLarge(limit: Int)
    /// A chunk's content is not followed by CR LF.
    case malformedChunkEnd
    /// The connection ended before the first byte of the response.
    case closedBeforeResponse
    /// The same without TLS, on a port where servers usually expect it.
    case closedByTLSPort
    /// The connection ended inside the header section.
    case truncatedHead
    /// The connection ended inside the body or its trailers.
    case truncatedBody
}

extension HTTP1ProtocolError: CustomStringConvertible {
    /// The description of an error in a proxy's own response.
    var proxyDescription: String {
        self == .tlsRecord ? "the response is a TLS record, so the proxy's URL must begin with https" : description
    }

    /// A sentence fragment for the error message that the caller sees.
    var description: String {
        switch self {
        case .notHTTP: "the response does not start with HTTP/1."
        case .tlsRecord: "the response is a TLS record, so the URL must begin with https"
        case .malformedStatusLine: "the status line is malformed"
        case .bareLineFeed: "a line ends in a bare line feed"
        case .bareCarriageReturn: "a line contains a bare carriage return"
        case .controlCharacter(let name?):
            "the value of \(HTTP1ProtocolError.shortened(name)) contains a control character"
        case .controlCharacter(nil): "a header line contains a control character"
        case .malformedFieldName: "a header line has a malformed name"
        case .foldedLine: "a header line is folded"
        case .headTooLarge(let limit): "the header section exceeds \(limit) bytes"
        case .tooManyLines(let limit): "the header section exceeds \(limit) lines"
        case .tooManyInformationalResponses(let limit): "more than \(limit) informational responses arrived"
        case .informationalResponsesTooLarge(let limit): "the informational responses exceed \(limit) bytes"
        case .malformedContentLength: "Content-Length is not a number"
        case .conflictingContentLengths: "several Content-Length values differ"
        case .contentLengthWithTransferEncoding: "Content-Length and Transfer-Encoding contradict each other"
        case .unknownTransferCoding: "Transfer-Encoding is not chunked"
        case .unexpectedUpgrade: "the server switched protocols, which was not requested"
        case .malformedChunkSize: "a chunk size is malformed"
        case .chunkExtensionsTooLarge(let limit): "chunk extensions exceed \(limit) bytes"
        case .malformedChunkEnd: "a chunk is not followed by CR LF"
        case .closedBeforeResponse: "the connection was closed before a response"
        case .closedByTLSPort:
            "the connection was closed before a response; if the server expects TLS, the URL must begin with https"
        case .truncatedHead: "the connection was closed inside the header section"
        case .truncatedBody: "the connection was closed before the body was complete"
        }
    }

    /// A name that was read, which consists of token characters only.
    private static func shortened(_ name: String) -> String {
        name.utf8.count > 64 ? String(decoding: name.utf8.prefix(64), as: UTF8.self) + "..." : name
    }

    /// Whether the peer disconnected early, rather than sent something invalid.
    var isTruncation: Bool {
        switch self {
        case .closedBeforeResponse, .closedByTLSPort, .truncatedHead, .truncatedBody: true
        default: false
        }
    }
}
