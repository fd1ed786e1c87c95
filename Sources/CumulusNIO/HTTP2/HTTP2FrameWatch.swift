// SPDX-License-Identifier: Apache-2.0

import NIOHTTP2

/// Detects whether NIOHTTP2 gave the connection up, which it reports only to the peer.
// Unchecked: touched on the connection's event loop only.
final class HTTP2FrameWatch: NIOHTTP2FrameDelegate, @unchecked Sendable {
    /// Whether a GOAWAY was sent.
    private(set) var hasSentGoAway = false

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .goAway = frame.payload { hasSentGoAway = true }
    }
}
