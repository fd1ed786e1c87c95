// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A proxy that speaks HTTP: it passes requests for plain origins on, and opens tunnels to the others.
///
/// What keeps connections by one proxy apart from those by another: whatever else a proxy is told (credentials) or speaks
/// (SOCKS) has its place here, but nothing secret in the description.
struct Proxy: Hashable, Sendable {
    /// Where the socket leads; `http`, since TLS with a proxy is not spoken yet.
    let origin: Origin
}

extension Proxy: CustomStringConvertible {
    /// The proxy for messages, without secrets.
    var description: String { "\(origin)" }
}
