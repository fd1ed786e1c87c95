// SPDX-License-Identifier: Apache-2.0

/// The kinds of request that differ in how their response is framed (RFC 9112 section 6.3).
enum HTTP1RequestKind: Hashable, Sendable {
    /// Any method whose response may have content.
    case ordinary
    /// HEAD: never content, regardless of the fields.
    case head
    /// CONNECT: after a 2xx the connection is a tunnel.
    case connect
    /// A request that offered to switch protocols: after a 101 the connection is a tunnel.
    case upgrade
}
