// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Reads a proxy's answer to CONNECT (RFC 9110 section 9.3.6): informational ones are skipped, any 2xx is success.
///
/// Strictly: where its head ends decides what belongs to the tunnel. A state machine without I/O.
struct TunnelAnswer {
    private var parser: HTTP1ResponseParser
    private var isOpen = false

    init() {
        parser = HTTP1ResponseParser(limits: .tunnel)
        parser.expect(.connect)
    }

    /// Takes what the proxy sent; whether the tunnel stands.
    mutating func receive(_ bytes: ByteBuffer) throws(TunnelProblem) -> Bool {
        parser.receive(bytes)
        while let event = try next() {
            switch event {
            case .informational:
                continue
            case .head(let head, _):
                guard 200..<300 ~= head.status else { throw .refused(status: head.status) }
                isOpen = true
            case .content, .end:
                // TLS begins with us: whoever speaks now isn't the one who is to be spoken to.
                throw .unaskedBytes
            }
            // A field that was left out or a line's end that isn't one: others may find the head's end elsewhere.
            if parser.wasLenient { throw .ambiguous }
        }
        return isOpen
    }

    /// What the connection's end means.
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
    /// For an answer that has little to say.
    static var tunnel: HTTP1Limits {
        var limits = HTTP1Limits()
        limits.headBytes = 64 * 1024
        limits.headLines = 500
        limits.informationalResponses = 10
        return limits
    }
}
