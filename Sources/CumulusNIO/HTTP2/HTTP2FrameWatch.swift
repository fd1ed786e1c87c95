// SPDX-License-Identifier: Apache-2.0

import NIOHTTP2

/// Sees whether NIOHTTP2 gave the connection up: it says so to the peer only.
// Unchecked: touched on the connection's event loop only.
final class HTTP2FrameWatch: NIOHTTP2FrameDelegate, @unchecked Sendable {
    /// Whether a GOAWAY was sent.
    private(set) var hasSentGoAway = false

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .goAway = frame.payload { hasSentGoAway = true }
    }
}
