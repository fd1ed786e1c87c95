// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// Learns which frames NIOHTTP2 has written: it holds frames back, and reports only to the peer that it gave the
/// connection up.
// Unchecked: touched on the connection's event loop only.
final class HTTP2FrameWatch: NIOHTTP2FrameDelegate, @unchecked Sendable {
    weak var connection: HTTP2Connection?
    /// Whether a GOAWAY was sent.
    private(set) var hasSentGoAway = false

    func wroteFrame(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .data(let content):
            connection?.wrote(content.data.readableBytes, ends: content.endStream, on: frame.streamID)
        case .headers(let content): connection?.wroteHead(ends: content.endStream, on: frame.streamID)
        case .goAway: hasSentGoAway = true
        default: break
        }
    }
}
