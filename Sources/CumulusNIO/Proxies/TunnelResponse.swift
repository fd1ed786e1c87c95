// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// Parses a proxy's response to CONNECT (RFC 9110 section 9.3.6): skips informational ones, and any 2xx is success.
///
/// It is strict: the end of the head determines which bytes belong to the tunnel. A state machine without I/O.
struct TunnelResponse {
    private var parser: HTTP1ResponseParser
    private var isOpen = false

    init() {
        parser = HTTP1ResponseParser(limits: .tunnel)
        parser.expect(.connect)
    }

    /// Takes bytes from the proxy; returns whether the tunnel is open.
    mutating func receive(_ bytes: ByteBuffer) throws(TunnelProblem) -> Bool {
        parser.receive(bytes)
        while let event = try next() {
            switch event {
            case .informational:
                continue
            case .head(let head, _):
                guard 200..<300 ~= head.status else {
                    let schemes =
                        head.status == 407 ? AuthenticationChallenge.proxySchemes(in: head.fields.httpFields) : []
                    throw .refused(status: head.status, schemes: schemes)
                }
                isOpen = true
            default:
                // In TLS the client speaks first: these bytes aren't from the intended peer.
                throw .unaskedBytes
            }
            // A dropped field or an irregular line end: other parsers may find the head's end elsewhere.
            if parser.wasLenient { throw .ambiguous }
        }
        return isOpen
    }

    /// The problem if the connection ends now.
    mutating func finish() -> TunnelProblem {
        do throws(HTTP1ProtocolError) {
            _ = try parser.finish()
            return .unreadable(.closedBeforeResponse)
        } catch {
            return .unreadable(error)
        }
    }

    private mutating func next() throws(TunnelProblem) -> HTTP1ResponseEvent? {
        do throws(HTTP1ProtocolError) {
            return try parser.next()
        } catch {
            throw .unreadable(error)
        }
    }
}

extension HTTP1Limits {
    /// The limits for a response without content.
    static var tunnel: HTTP1Limits {
        var limits = HTTP1Limits()
        limits.headBytes = 64 * 1024
        limits.headLines = 500
        limits.informationalResponses = 10
        return limits
    }
}
