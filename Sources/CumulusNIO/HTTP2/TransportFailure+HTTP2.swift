// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOHTTP2

extension TransportFailure {
    /// HTTP/2 was required, and the server did not agree to it.
    static func noHTTP2(_ origin: Origin) -> TransportFailure {
        TransportFailure(.unsupported, "\(origin) does not support HTTP/2")
    }

    /// The server accepts no head of this size, and might end the whole connection for it.
    static func headTooLarge(_ size: Int, limit: Int, at origin: Origin) -> TransportFailure {
        let message =
            "the request's header fields are \(size) bytes long, but \(origin) accepts at most \(limit) over HTTP/2"
        return TransportFailure(.invalidRequest, "\(message) (SETTINGS_MAX_HEADER_LIST_SIZE)")
    }

    /// The peer violated the rules of a stream or of the whole connection.
    static func http2(_ error: any Error, fate: Fate) -> TransportFailure {
        switch error {
        case let error as HTTP2ProtocolError:
            let kind: Kind =
                switch error {
                case .tooManyFields, .tooManyInformationalResponses, .informationalResponsesTooLarge: .headerTooLarge
                default: .malformedResponse
                }
            return TransportFailure(kind, error.description, fate: fate, cause: error)
                .because(kind == .malformedResponse ? .invalidHTTP2 : nil)
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock, is NIOHTTP2Errors.ExcessiveContinuationFrames:
            return TransportFailure(.headerTooLarge, "the header section is too large", fate: fate, cause: error)
        default:
            let reason = NIOHTTP2Errors.reason(for: error).map { ": \($0)" } ?? ""
            let message = "the server violated HTTP/2\(reason)"
            return TransportFailure(.malformedResponse, message, fate: fate, cause: error).because(.invalidHTTP2)
        }
    }

    /// The request can't be put into frames.
    static func unwritable(_ error: any Error) -> TransportFailure {
        let error = (error as? NIOHTTP2Errors.StreamError)?.baseError ?? error
        let reason = NIOHTTP2Errors.reason(for: error).map { ": \($0)" } ?? ""
        return TransportFailure(.invalidRequest, "the request can't be sent over HTTP/2\(reason)", cause: error)
    }

    /// The peer ended a stream before its response was complete.
    static func reset(_ code: HTTP2ErrorCode, hasHead: Bool, fate: Fate) -> TransportFailure {
        let message = "the server reset the exchange (\(code.name))"
        return TransportFailure(hasHead ? .truncated : .connectionClosed, message, fate: fate)
    }

    /// The connection ended before a response was complete.
    static func connectionLost(hasHead: Bool, code: HTTP2ErrorCode?, fate: Fate, cause: (any Error)?)
        -> TransportFailure
    {
        var message =
            hasHead
            ? "the connection was closed before the body was complete" : "the connection was closed before a response"
        if let code, code != .noError { message += " (\(code.name))" }
        return TransportFailure(hasHead ? .truncated : .connectionClosed, message, fate: fate, cause: cause)
    }
}
