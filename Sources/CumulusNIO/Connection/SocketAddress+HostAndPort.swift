// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore

extension SocketAddress {
    /// The address as in a URL's authority, or the path of a local socket.
    var hostAndPort: String? {
        guard let host = ipAddress, let port else { return pathname }
        return host.has(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
