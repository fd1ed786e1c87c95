// SPDX-License-Identifier: Apache-2.0

/// The sizes of request heads that an origin is known to accept over HTTP/2, and not to accept (RFC 9113 section 6.5.2).
///
/// A server may close the connection of a head that is too large for it, and with it all other exchanges there.
struct HTTP2HeadSizes {
    /// Heads up to this size are sent before the server's settings have arrived.
    static let small = 4_096
    /// Heads up to this size share a connection, unless the server has shown that it does not accept them.
    private static let common = 16_384

    private var accepted = common
    private var refused = Int.max

    /// Records that a request with a head of this size has got a response.
    mutating func recordResponse(to size: Int) {
        accepted = max(accepted, size)
        if size >= refused { refused = .max }
    }

    /// Records that a connection ended under a request with a head of this size.
    mutating func recordLostConnection(under size: Int) {
        if size > Self.small { refused = min(refused, size) }
    }

    /// Whether a head of this size may end its connection.
    func mayEndConnection(_ size: Int) -> Bool { size > accepted || size >= refused }
}
